-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "traceparent" TEXT;

-- Calls that only a person can decide: counted at every scrape.
CREATE INDEX "finance_call_parked_idx" ON "finance_call"("organization_id")
    WHERE "parked_at" IS NOT NULL AND "abandoned_at" IS NULL;
