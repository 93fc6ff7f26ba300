-- In place of an index by organization and topic: one by source and topic, as wide, so that intake pays the same. It
-- answers for one source, for which the other one looked through all that came of the topic, or through all of the
-- source; for all sources of an organization it is asked once each.

-- DropIndex
DROP INDEX "delivery_organization_id_topic_received_at_id_idx";

-- CreateIndex
CREATE INDEX "delivery_source_id_topic_received_at_id_idx" ON "delivery"("source_id", "topic", "received_at", "id");
