-- What a dead letter waits for, and effects that an operator has to approve. The version before leaves all of it empty.
LOCK TABLE "delivery", "open_delivery" IN ACCESS EXCLUSIVE MODE;

-- CreateEnum
CREATE TYPE "approval_state" AS ENUM ('waiting', 'approved', 'declined');

-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "waits_for" TEXT[],
ADD COLUMN     "waits_only" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "open_delivery" ADD COLUMN     "waits_for" TEXT[],
ADD COLUMN     "waits_only" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "approval" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "effect_key" TEXT NOT NULL,
    "state" "approval_state" NOT NULL DEFAULT 'waiting',
    "plan" JSONB NOT NULL,
    "rule" TEXT NOT NULL,
    "rule_version" INTEGER NOT NULL,
    "step" TEXT NOT NULL,
    "delivery_id" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "to_resume" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "approval_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "approval_organization_id_state_id_idx" ON "approval"("organization_id", "state", "id");

-- CreateIndex
CREATE UNIQUE INDEX "approval_organization_id_effect_key_key" ON "approval"("organization_id", "effect_key");

-- ── What Prisma's schema cannot say ──────────────────────────────────────────────────────────────────────

-- Decided, and not worked on again yet: looked for every other second.
CREATE INDEX "approval_to_resume_idx" ON "approval"("id") WHERE "to_resume";

-- index: only dead letters that wait for a record, of which there is none yet.
CREATE INDEX "open_delivery_waiting_for_record_idx" ON "open_delivery"("received_at", "id") WHERE "waits_for" IS NOT NULL;

-- As before, with what a dead letter waits for.
CREATE OR REPLACE FUNCTION "keep_open_delivery"() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM open_delivery WHERE id = ANY (ARRAY(SELECT c.id FROM changed c WHERE c.state = 'done'));
    END IF;
    INSERT INTO open_delivery
        (id, organization_id, source_id, topic, lane, seq, state, received_at, ready_at, lease_id, waits_for, waits_only)
    SELECT id, organization_id, source_id, topic, lane, seq, state, received_at, ready_at, lease_id, waits_for, waits_only
    FROM changed WHERE state <> 'done'
    ON CONFLICT (id) DO UPDATE SET
        topic = excluded.topic, lane = excluded.lane, seq = excluded.seq, state = excluded.state,
        received_at = excluded.received_at, ready_at = excluded.ready_at, lease_id = excluded.lease_id,
        waits_for = excluded.waits_for, waits_only = excluded.waits_only;
    INSERT INTO entity_delivery (organization_id, business_key, received_at, id)
    SELECT organization_id, business_key, received_at, id FROM changed WHERE business_key IS NOT NULL
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
