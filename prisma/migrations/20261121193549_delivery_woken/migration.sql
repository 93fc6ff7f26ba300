-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "woken" BOOLEAN NOT NULL DEFAULT false;
