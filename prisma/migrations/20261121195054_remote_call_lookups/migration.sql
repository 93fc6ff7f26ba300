-- What is to be read back, of each organization by its time; in place of the index by time alone.
DROP INDEX "finance_call_to_read_back_idx";
CREATE INDEX "finance_call_to_read_back_idx" ON "finance_call"("organization_id", "next_at")
    WHERE "state" IN ('intended', 'unknown') AND "parked_at" IS NULL;

-- What is being sent.
CREATE INDEX "finance_call_on_its_way_idx" ON "finance_call"("organization_id") WHERE "state" = 'intended';

-- Receipts by their schedule.
CREATE INDEX "finance_call_receipt_schedule_idx" ON "finance_call"("organization_id", ("request" #>> '{path,ScheduleId}'))
    WHERE "operation" = 'receipts.registerForSchedule';

-- Calls by the records that they made. Written at once: a list of what is to be written would be read by every search.
CREATE INDEX "finance_call_records_idx" ON "finance_call" USING gin (jsonb_path_query_array("output", '$.*[*]'))
    WITH (fastupdate = off)
    WHERE "state" = 'applied' AND "operation" IN ('customers.create', 'schedules.createCredit', 'accounts.create');
