-- AlterTable
ALTER TABLE "source_comparison" ADD COLUMN     "compared_from" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "completeness_check" (
    "source_id" UUID NOT NULL,
    "checked_day" DATE,
    "checked_at" TIMESTAMPTZ(3),
    "from_day" DATE,
    "compared" INTEGER NOT NULL DEFAULT 0,
    "differences" INTEGER NOT NULL DEFAULT 0,
    "repairable" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "lease_number" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "completeness_check_pkey" PRIMARY KEY ("source_id")
);

-- CreateTable
CREATE TABLE "money_facts" (
    "source_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "as_of" TIMESTAMPTZ(3) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "total_minor" BIGINT NOT NULL,
    "payments" JSONB NOT NULL,
    "refunds" JSONB NOT NULL,
    "fees" JSONB NOT NULL,
    "instalments" INTEGER NOT NULL,
    "test" BOOLEAN NOT NULL,
    "cancelled" BOOLEAN NOT NULL,

    CONSTRAINT "money_facts_pkey" PRIMARY KEY ("source_id","key")
);

-- CreateIndex
CREATE INDEX "money_facts_source_id_made_at_key_idx" ON "money_facts"("source_id", "made_at", "key");
