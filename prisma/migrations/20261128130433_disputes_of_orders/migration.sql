-- AlterTable
ALTER TABLE "money_facts" ADD COLUMN     "order_key" TEXT;
