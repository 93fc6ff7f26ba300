-- AlterTable
ALTER TABLE "organization" ADD COLUMN     "document_key" BYTEA;
