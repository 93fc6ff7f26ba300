-- Which order a dispute is about, by which the disputes of an order are found.
-- index: nothing is in it yet, for the column is new; the table is read once.

-- AlterTable
ALTER TABLE "money_facts" ADD COLUMN     "order_key" TEXT;

-- CreateIndex
CREATE INDEX "money_facts_source_id_order_key_idx" ON "money_facts"("source_id", "order_key") WHERE "order_key" IS NOT NULL;
