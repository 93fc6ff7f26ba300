-- AlterTable
ALTER TABLE "finance_connection" ADD COLUMN     "recovered_at" TIMESTAMPTZ(3);
