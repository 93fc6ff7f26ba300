-- Indexes that each order was written into and that hardly anything reads. The version before goes on without them: until it
-- is stopped, an operator's list of all deliveries, which it alone reads along the first, is slow on large tables.
LOCK TABLE "delivery", "schedule", "run" IN ACCESS EXCLUSIVE MODE;

-- DropIndex: a walk along each source of the organization takes its place.
DROP INDEX "delivery_organization_id_received_at_id_idx";

-- DropIndex: the deliveries of an entity lead to its runs.
DROP INDEX "run_organization_id_business_key_idx";

-- DropIndex: open schedules by due date have an index of their own, and so have a customer's.
DROP INDEX "schedule_organization_id_kind_due_date_id_idx";

-- Open schedules are listed by due date.
DROP INDEX "schedule_open_organization_id_kind_id_idx";

-- index: of payables alone, which are few beside the receivables of orders
CREATE INDEX "schedule_debit_organization_id_due_date_id_idx" ON "schedule"("organization_id", "due_date", "id")
    WHERE "kind" = 'debit';
