-- AlterTable
ALTER TABLE "money_facts" ADD COLUMN     "gateways" JSONB;
