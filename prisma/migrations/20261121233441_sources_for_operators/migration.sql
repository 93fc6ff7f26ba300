-- When a source last received something: the newest delivery of the source, one probe. Another migration may have
-- made it for the lists of deliveries.
CREATE INDEX IF NOT EXISTS "delivery_source_id_received_at_id_idx" ON "delivery"("source_id", "received_at", "id");

-- What of a source waits, and what needs a person, counted without a look at what is done. Intake pays one small entry
-- for a delivery, which is gone from the index once the delivery is done.
CREATE INDEX "delivery_open_source_id_state_idx" ON "delivery"("source_id", "state") WHERE "state" IN ('waiting', 'dead');
