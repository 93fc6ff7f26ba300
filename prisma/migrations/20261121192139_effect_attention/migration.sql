-- AlterTable
ALTER TABLE "effect" ADD COLUMN     "attention" JSONB;
