-- DropIndex
DROP INDEX "audit_entry_organization_id_id_idx";

-- DropIndex
DROP INDEX "delivery_organization_id_business_key_idx";

-- DropIndex
DROP INDEX "delivery_organization_id_seq_idx";

-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "body_purged_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "organization" ADD COLUMN     "raw_body_days" INTEGER NOT NULL DEFAULT 90;

-- CreateIndex
CREATE INDEX "audit_entry_organization_id_at_id_idx" ON "audit_entry"("organization_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entry_organization_id_action_at_id_idx" ON "audit_entry"("organization_id", "action", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entry_organization_id_subject_at_id_idx" ON "audit_entry"("organization_id", "subject", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entry_organization_id_actor_at_id_idx" ON "audit_entry"("organization_id", "actor", "at", "id");

-- CreateIndex
CREATE INDEX "delivery_organization_id_received_at_id_idx" ON "delivery"("organization_id", "received_at", "id");

-- CreateIndex
CREATE INDEX "delivery_organization_id_topic_received_at_id_idx" ON "delivery"("organization_id", "topic", "received_at", "id");

-- CreateIndex
CREATE INDEX "delivery_source_id_received_at_id_idx" ON "delivery"("source_id", "received_at", "id");

-- ── What Prisma's schema cannot say ──────────────────────────────────────────────────────────────────────

ALTER TABLE "organization"
    ADD CONSTRAINT "organization_raw_body_days_within_ten_years" CHECK ("raw_body_days" BETWEEN 1 AND 3650);

-- Only what is settled loses its body: what waits or is dead may still be worked on.
ALTER TABLE "delivery"
    ADD CONSTRAINT "delivery_purged_is_settled" CHECK ("body_purged_at" IS NULL OR "state" IN ('done', 'discarded'));

-- Operators' lists are newest first by ("received_at", "id"). Each index ends with these two, so that a page, the
-- next page and a span of time are one walk of it. Every index here is paid for by every webhook, hence no more:
--   all of an organization: replaces the index over "seq", which could not serve a span of time;
--   one topic, one source: either may be rare among millions of others;
--   one entity: only what is understood has a business key, so intake does not touch this one any more;
--   one state: but for 'done', which nearly everything is, and which the index of the organization finds at once.
CREATE INDEX "delivery_organization_id_business_key_idx"
    ON "delivery"("organization_id", "business_key", "received_at", "id") WHERE "business_key" IS NOT NULL;
CREATE INDEX "delivery_not_done_organization_id_state_idx"
    ON "delivery"("organization_id", "state", "received_at", "id") WHERE "state" <> 'done';
DROP INDEX "delivery_dead_organization_id_seq_idx";

-- What is to lose its body next, oldest first. Intake does not touch it, and what is purged leaves it, so that a look
-- costs the same however long the history is.
CREATE INDEX "delivery_purgeable_organization_id_received_at_idx"
    ON "delivery"("organization_id", "received_at") WHERE "body_purged_at" IS NULL AND "state" IN ('done', 'discarded');
