-- What people call an order, by which operators look for it.
-- index: nothing is in it yet, for the column is new; the table is read once.

-- AlterTable
ALTER TABLE "money_facts" ADD COLUMN     "number" TEXT;

-- CreateIndex
CREATE INDEX "money_facts_source_id_number_idx" ON "money_facts"("source_id", "number") WHERE "number" IS NOT NULL;
