-- CreateEnum
CREATE TYPE "interval_type" AS ENUM ('day', 'week', 'month', 'year');

-- DropIndex
DROP INDEX "schedule_organization_id_kind_due_date_idx";

-- DropIndex
DROP INDEX "schedule_organization_id_stakeholder_id_due_date_idx";

-- AlterTable
ALTER TABLE "bank" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "category_group" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "schedule" ADD COLUMN     "occurrence" INTEGER,
ADD COLUMN     "recurrence_id" UUID;

-- CreateTable
CREATE TABLE "recurrence" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "interval_type" "interval_type" NOT NULL,
    "interval" INTEGER NOT NULL,
    "first_due_date" DATE NOT NULL,
    "occurrences" INTEGER,
    "end_date" DATE,
    "made" INTEGER NOT NULL DEFAULT 0,
    "next_due_date" DATE,
    "stakeholder_id" UUID NOT NULL,
    "description" TEXT NOT NULL,
    "reference" TEXT,
    "value_minor" BIGINT NOT NULL,
    "schedule_date" DATE NOT NULL,
    "category_id" UUID,
    "cost_center_id" UUID,
    "is_flagged" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recurrence_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "entry_reconciliation" (
    "entry_id" UUID NOT NULL,
    "reconciled_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "entry_reconciliation_pkey" PRIMARY KEY ("entry_id")
);

-- CreateTable
CREATE TABLE "idempotency_record" (
    "organization_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request" BYTEA NOT NULL,
    "result" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("organization_id","key")
);

-- CreateIndex
CREATE INDEX "recurrence_next_due_date_idx" ON "recurrence"("next_due_date");

-- CreateIndex
CREATE INDEX "cost_center_organization_id_id_idx" ON "cost_center"("organization_id", "id");

-- CreateIndex
CREATE INDEX "schedule_organization_id_stakeholder_id_due_date_id_idx" ON "schedule"("organization_id", "stakeholder_id", "due_date", "id");

-- CreateIndex
CREATE INDEX "schedule_organization_id_kind_due_date_id_idx" ON "schedule"("organization_id", "kind", "due_date", "id");

-- CreateIndex
CREATE INDEX "schedule_organization_id_kind_id_idx" ON "schedule"("organization_id", "kind", "id");

-- CreateIndex
CREATE UNIQUE INDEX "schedule_recurrence_id_occurrence_key" ON "schedule"("recurrence_id", "occurrence");

-- CreateIndex
CREATE INDEX "stakeholder_organization_id_kind_id_idx" ON "stakeholder"("organization_id", "kind", "id");

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_recurrence_id_fkey" FOREIGN KEY ("recurrence_id") REFERENCES "recurrence"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "entry_reconciliation" ADD CONSTRAINT "entry_reconciliation_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "entry"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- ── What Prisma's schema cannot say ──────────────────────────────────────────────────────────────────────

ALTER TABLE "recurrence"
    ADD CONSTRAINT "recurrence_interval_from_one" CHECK ("interval" >= 1),
    ADD CONSTRAINT "recurrence_value_above_zero" CHECK ("value_minor" > 0),
    ADD CONSTRAINT "recurrence_occurrences_in_range" CHECK ("occurrences" BETWEEN 1 AND 360),
    ADD CONSTRAINT "recurrence_made_within_occurrences" CHECK ("made" >= 0 AND "made" <= coalesce("occurrences", "made")),
    ADD CONSTRAINT "recurrence_ends_after_it_begins" CHECK ("end_date" >= "first_due_date");

ALTER TABLE "schedule"
    ADD CONSTRAINT "schedule_occurrence_of_a_recurrence" CHECK (("recurrence_id" IS NULL) = ("occurrence" IS NULL) AND "occurrence" >= 1);

ALTER TABLE "idempotency_record"
    ADD CONSTRAINT "idempotency_record_key_length" CHECK (length("key") BETWEEN 1 AND 255),
    ADD CONSTRAINT "idempotency_record_request_length" CHECK (octet_length("request") = 32);

-- Which books each kind of movement may join: a receipt reaches an account, a payment leaves one, and so on.
ALTER TABLE "entry"
    ADD CONSTRAINT "entry_kind_fits_its_books" CHECK (CASE "kind"
        WHEN 'opening' THEN ("debit_book", "credit_book") IN (('account', 'equity'), ('equity', 'account'))
        WHEN 'receivable' THEN ("debit_book", "credit_book") = ('receivable', 'income')
        WHEN 'payable' THEN ("debit_book", "credit_book") = ('expense', 'payable')
        WHEN 'receipt' THEN "debit_book" = 'account' AND "credit_book" IN ('receivable', 'income')
        WHEN 'payment' THEN "debit_book" IN ('payable', 'expense') AND "credit_book" = 'account'
        WHEN 'transfer' THEN ("debit_book", "credit_book") = ('account', 'account')
        WHEN 'discount' THEN ("debit_book", "credit_book") = ('expense', 'receivable')
        ELSE true
    END);

-- A reversal takes back the whole of one entry of its own organization, and never another reversal.
CREATE FUNCTION "check_reversal"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "entry" AS "e"
    WHERE "e"."id" = NEW."reverses_id" AND "e"."kind" <> 'reversal'
        AND "e"."organization_id" = NEW."organization_id" AND "e"."amount_minor" = NEW."amount_minor"
        AND ("e"."debit_book", "e"."debit_id") = (NEW."credit_book", NEW."credit_id")
        AND ("e"."credit_book", "e"."credit_id") = (NEW."debit_book", NEW."debit_id");
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a reversal must mirror the entry it takes back'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER "entry_reversal_mirrors" BEFORE INSERT ON "entry"
    FOR EACH ROW WHEN (NEW."kind" = 'reversal' AND NEW."reverses_id" IS NOT NULL) EXECUTE FUNCTION "check_reversal"();

-- What is open, by due date: overdue receivables and the next payable are found without looking at what is paid.
CREATE INDEX "schedule_open_organization_id_kind_due_date_id_idx"
    ON "schedule"("organization_id", "kind", "due_date", "id") WHERE "open_minor" > 0;
CREATE INDEX "schedule_open_organization_id_kind_id_idx"
    ON "schedule"("organization_id", "kind", "id") WHERE "open_minor" > 0;
