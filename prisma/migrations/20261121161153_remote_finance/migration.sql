-- CreateEnum
CREATE TYPE "finance_call_state" AS ENUM ('planned', 'intended', 'applied', 'refused', 'unknown');

-- AlterEnum
ALTER TYPE "run_state" ADD VALUE 'running';

-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "lease_id" UUID;

-- AlterTable
ALTER TABLE "run" ALTER COLUMN "finished_at" DROP NOT NULL;

-- CreateTable
CREATE TABLE "finance_connection" (
    "organization_id" UUID NOT NULL,
    "settings" JSONB NOT NULL,
    "api_key" BYTEA NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "finance_connection_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "finance_pace" (
    "organization_id" UUID NOT NULL,
    "next_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "finance_pace_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "finance_call" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "effect_key" TEXT NOT NULL,
    "part" INTEGER NOT NULL,
    "operation" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "evidence" JSONB,
    "state" "finance_call_state" NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3),
    "looks" INTEGER NOT NULL DEFAULT 0,
    "parked_at" TIMESTAMPTZ(3),
    "abandoned_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "output" JSONB NOT NULL DEFAULT '{}',
    "delivery_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "finance_call_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "finance_attempt" (
    "call_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "status" INTEGER,
    "reply" TEXT,

    CONSTRAINT "finance_attempt_pkey" PRIMARY KEY ("call_id","number")
);

-- CreateTable
CREATE TABLE "remote_schedule" (
    "organization_id" UUID NOT NULL,
    "schedule_id" UUID NOT NULL,
    "stakeholder_id" UUID NOT NULL,

    CONSTRAINT "remote_schedule_pkey" PRIMARY KEY ("organization_id","schedule_id")
);

-- CreateIndex
CREATE INDEX "finance_call_organization_id_state_id_idx" ON "finance_call"("organization_id", "state", "id");

-- CreateIndex
CREATE UNIQUE INDEX "finance_call_organization_id_effect_key_part_key" ON "finance_call"("organization_id", "effect_key", "part");

-- AddForeignKey
ALTER TABLE "finance_attempt" ADD CONSTRAINT "finance_attempt_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "finance_call"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- ── What Prisma's schema cannot say ──────────────────────────────────────────────────────────────────────

-- What is to be read back, by its time.
CREATE INDEX "finance_call_to_read_back_idx" ON "finance_call"("next_at")
    WHERE "state" IN ('intended', 'unknown') AND "parked_at" IS NULL;

ALTER TABLE "finance_call"
    ADD CONSTRAINT "finance_call_parts_from_one" CHECK ("part" >= 1),
    ADD CONSTRAINT "finance_call_waits_for_a_time" CHECK ("next_at" IS NOT NULL OR "state" IN ('applied', 'refused') OR "parked_at" IS NOT NULL),
    ADD CONSTRAINT "finance_call_parked_is_unknown" CHECK ("parked_at" IS NULL OR "state" = 'unknown');

ALTER TABLE "run" ADD CONSTRAINT "run_finishes_unless_running" CHECK (("finished_at" IS NULL) = ("state"::text = 'running'));
