-- AlterTable
ALTER TABLE "finance_call" ADD COLUMN     "announced_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "feed_waiting" (
    "id" BIGSERIAL NOT NULL,
    "key" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "changes" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_waiting_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feed_batch" (
    "organization_id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "id" BIGINT NOT NULL,
    "key" UUID NOT NULL,
    "changes" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_batch_pkey" PRIMARY KEY ("organization_id","position")
);

-- CreateTable
CREATE TABLE "feed_change" (
    "batch_id" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "business_key" TEXT,
    "delivery_id" UUID,
    "data" JSON NOT NULL,

    CONSTRAINT "feed_change_pkey" PRIMARY KEY ("batch_id","number")
);

-- CreateTable
CREATE TABLE "feed_head" (
    "id" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,

    CONSTRAINT "feed_head_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feed_cursor" (
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "cursor" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_cursor_pkey" PRIMARY KEY ("organization_id","name")
);

-- CreateIndex
CREATE UNIQUE INDEX "feed_batch_position_key" ON "feed_batch"("position");

-- ── What Prisma's schema cannot say ──────────────────────────────────────────────────────────────────────

INSERT INTO "feed_head" ("id", "position") VALUES (1, 0);

ALTER TABLE "feed_head" ADD CONSTRAINT "feed_head_is_one_row" CHECK ("id" = 1);

ALTER TABLE "feed_waiting" ADD CONSTRAINT "feed_waiting_holds_changes" CHECK ("changes" >= 1);

ALTER TABLE "feed_batch"
    ADD CONSTRAINT "feed_batch_holds_changes" CHECK ("changes" >= 1),
    ADD CONSTRAINT "feed_batch_positions_from_one" CHECK ("position" >= 1);

-- Rows come and go at the rate of transactions, and there are never many: it is swept before it grows.
ALTER TABLE "feed_waiting" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
