LOCK TABLE "delivery_body", "source" IN ACCESS EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "source" ADD COLUMN     "credentials" BYTEA;

-- AlterTable
ALTER TABLE "delivery_body" ADD COLUMN     "fetched" BYTEA;
