-- CreateTable
CREATE TABLE "watch_turn" (
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "number" BIGINT NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "service" TEXT,
    "next_token" TEXT,
    "expected" INTEGER,
    "found" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3),
    "start_mark" BIGINT,
    "looked_at" TIMESTAMPTZ(3),
    "mark" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "watch_turn_pkey" PRIMARY KEY ("organization_id","kind")
);

-- CreateTable
CREATE TABLE "watch_customer" (
    "organization_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "baseline" BOOLEAN NOT NULL,
    "tried_at" TIMESTAMPTZ(3) NOT NULL,
    "looked_at" TIMESTAMPTZ(3),

    CONSTRAINT "watch_customer_pkey" PRIMARY KEY ("organization_id","customer_id")
);

-- CreateTable
CREATE TABLE "watch_record" (
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "scope_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "data" JSON NOT NULL,
    "told_due" DATE,
    "missed" INTEGER NOT NULL DEFAULT 0,
    "gone" BOOLEAN NOT NULL DEFAULT false,
    "held_from" TIMESTAMPTZ(3),
    "held_mark" BIGINT,

    CONSTRAINT "watch_record_pkey" PRIMARY KEY ("organization_id","kind","record_id")
);

-- CreateTable
CREATE TABLE "watch_staged" (
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "due" DATE,
    "data" JSON,

    CONSTRAINT "watch_staged_pkey" PRIMARY KEY ("organization_id","kind","record_id")
);

-- CreateIndex
CREATE INDEX "watch_turn_due_at_idx" ON "watch_turn"("due_at");

-- CreateIndex
CREATE INDEX "watch_customer_organization_id_tried_at_customer_id_idx" ON "watch_customer"("organization_id", "tried_at", "customer_id");

-- CreateIndex
CREATE INDEX "watch_record_organization_id_kind_scope_id_idx" ON "watch_record"("organization_id", "kind", "scope_id");

-- CreateIndex
CREATE INDEX "feed_batch_id_idx" ON "feed_batch"("id");

-- CreateIndex
CREATE INDEX "remote_schedule_organization_id_stakeholder_id_idx" ON "remote_schedule"("organization_id", "stakeholder_id");

-- ── What Prisma's schema cannot say ──────────────────────────────────────────────────────────────────────

-- What is told of records that Ponte changes and that are looked at: never a kind that orders bring by the thousand.
CREATE INDEX "feed_change_looked_at_idx" ON "feed_change"("subject")
    WHERE "type" IN ('account.created', 'account.updated', 'cost-center.created', 'cost-center.updated', 'debit-schedule.created');
CREATE INDEX "feed_change_looked_at_batch_idx" ON "feed_change"("batch_id")
    WHERE "type" IN ('account.created', 'account.updated', 'cost-center.created', 'cost-center.updated', 'debit-schedule.created');

ALTER TABLE "watch_turn" ADD CONSTRAINT "watch_turn_failures" CHECK ("failures" >= 0);

ALTER TABLE "watch_record" ADD CONSTRAINT "watch_record_missed" CHECK ("missed" >= 0);
