-- Effects that are applied after the transaction of their delivery, by a worker of their own.
-- CreateEnum
CREATE TYPE "deferred_state" AS ENUM ('waiting', 'applied', 'refused', 'cancelled');

-- CreateTable
CREATE TABLE "deferred_effect" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "not_before" DATE,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "state" "deferred_state" NOT NULL DEFAULT 'waiting',
    "effect" JSONB NOT NULL,
    "rule" TEXT NOT NULL,
    "rule_version" INTEGER NOT NULL,
    "dates_known" BOOLEAN NOT NULL,
    "run_id" UUID NOT NULL,
    "step" TEXT NOT NULL,
    "delivery_id" UUID NOT NULL,
    "business_key" TEXT NOT NULL,
    "ready_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_id" UUID,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "deferred_effect_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "deferred_effect_organization_id_state_id_idx" ON "deferred_effect"("organization_id", "state", "id");

-- CreateIndex
CREATE UNIQUE INDEX "deferred_effect_organization_id_key_key" ON "deferred_effect"("organization_id", "key");

-- What is to be applied, the first due first.
CREATE INDEX "deferred_effect_waiting_due_at_idx" ON "deferred_effect"("due_at", "id") WHERE "state" = 'waiting';

-- What a person has to decide on.
CREATE INDEX "deferred_effect_refused_idx" ON "deferred_effect"("id") WHERE "state" = 'refused';

ALTER TABLE "deferred_effect"
    ADD CONSTRAINT "deferred_effect_finished" CHECK (("state" = 'waiting') = ("finished_at" IS NULL)),
    ADD CONSTRAINT "deferred_effect_refused" CHECK ("state" NOT IN ('refused', 'cancelled') OR "reason" IS NOT NULL);
