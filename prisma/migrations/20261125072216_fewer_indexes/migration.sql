-- Indexes that each order was written into and that hardly anything reads. The version before goes on without them: until it
-- is stopped, an operator's list of all deliveries, which it alone reads along the first, is slow on large tables.
LOCK TABLE "delivery", "schedule", "run" IN ACCESS EXCLUSIVE MODE;

-- DropIndex: a walk along each source of the organization takes its place.
DROP INDEX "delivery_organization_id_received_at_id_idx";

-- DropIndex: the deliveries of an entity lead to its runs.
DROP INDEX "run_organization_id_business_key_idx";

-- DropIndex: open schedules are listed by due date.
DROP INDEX "schedule_open_organization_id_kind_id_idx";
