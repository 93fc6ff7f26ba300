-- CreateEnum
CREATE TYPE "delivery_state" AS ENUM ('waiting', 'done', 'dead', 'discarded');

-- CreateEnum
CREATE TYPE "run_state" AS ENUM ('done', 'refused');

-- CreateEnum
CREATE TYPE "effect_state" AS ENUM ('intended', 'applied', 'refused', 'unknown');

-- CreateEnum
CREATE TYPE "stakeholder_kind" AS ENUM ('customer', 'supplier', 'partner');

-- CreateEnum
CREATE TYPE "schedule_kind" AS ENUM ('credit', 'debit');

-- CreateEnum
CREATE TYPE "book" AS ENUM ('account', 'receivable', 'payable', 'income', 'expense', 'equity');

-- CreateEnum
CREATE TYPE "entry_kind" AS ENUM ('opening', 'receivable', 'payable', 'receipt', 'payment', 'transfer', 'discount', 'reversal');

-- CreateTable
CREATE TABLE "organization" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "default_account_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "organization_id" UUID,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" UUID NOT NULL,
    "organization_id" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "reason" TEXT,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "source" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "secrets" BYTEA,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "source_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rule" (
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "rule_pkey" PRIMARY KEY ("organization_id","name")
);

-- CreateTable
CREATE TABLE "rule_version" (
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "document" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rule_version_pkey" PRIMARY KEY ("organization_id","name","version")
);

-- CreateTable
CREATE TABLE "lookup_table" (
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "entries" JSONB NOT NULL,

    CONSTRAINT "lookup_table_pkey" PRIMARY KEY ("organization_id","name")
);

-- CreateTable
CREATE TABLE "delivery" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "topic" TEXT NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "lane" TEXT NOT NULL,
    "attributes" JSONB NOT NULL,
    "body" BYTEA NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "state" "delivery_state" NOT NULL DEFAULT 'waiting',
    "seq" BIGSERIAL NOT NULL,
    "ready_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "outcome" TEXT,
    "reason" TEXT,
    "business_key" TEXT,
    "events" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "event_index" INTEGER NOT NULL,
    "event_type" TEXT NOT NULL,
    "business_key" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "rule_version" INTEGER NOT NULL,
    "state" "run_state" NOT NULL,
    "plan" JSONB NOT NULL,
    "steps" JSONB NOT NULL,
    "reason" TEXT,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "effect" (
    "organization_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "state" "effect_state" NOT NULL,
    "amount_minor" BIGINT,
    "output" JSONB NOT NULL,
    "run_id" UUID NOT NULL,
    "step" TEXT NOT NULL,
    "reason" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "effect_pkey" PRIMARY KEY ("organization_id","key")
);

-- CreateTable
CREATE TABLE "attention" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "business_key" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "attention_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bank" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "color" TEXT,

    CONSTRAINT "bank_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "category_group" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "reference_code" TEXT NOT NULL,

    CONSTRAINT "category_group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "category" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "reference_code" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "category_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cost_center" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "description" TEXT NOT NULL,
    "external_code" TEXT,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "cost_center_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stakeholder" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "kind" "stakeholder_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "phone" TEXT,
    "document" TEXT,
    "document_type" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "stakeholder_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "code" TEXT,
    "name" TEXT NOT NULL,
    "bank_id" UUID,
    "open_balance_minor" BIGINT NOT NULL,
    "opened_on" DATE NOT NULL,
    "agency" TEXT,
    "number" TEXT,
    "verification_number" INTEGER,
    "type" TEXT,
    "virtual_details" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "schedule" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "kind" "schedule_kind" NOT NULL,
    "stakeholder_id" UUID NOT NULL,
    "description" TEXT NOT NULL,
    "reference" TEXT,
    "value_minor" BIGINT NOT NULL,
    "open_minor" BIGINT NOT NULL,
    "schedule_date" DATE NOT NULL,
    "accrual_date" DATE NOT NULL,
    "due_date" DATE NOT NULL,
    "category_id" UUID,
    "cost_center_id" UUID,
    "is_flagged" BOOLEAN NOT NULL DEFAULT false,
    "group_id" UUID NOT NULL,
    "instalment" INTEGER NOT NULL DEFAULT 1,
    "instalment_count" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "schedule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "entry" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "kind" "entry_kind" NOT NULL,
    "date" DATE NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "debit_book" "book" NOT NULL,
    "debit_id" UUID NOT NULL,
    "credit_book" "book" NOT NULL,
    "credit_id" UUID NOT NULL,
    "stakeholder_id" UUID,
    "category_id" UUID,
    "cost_center_id" UUID,
    "description" TEXT,
    "reference" TEXT,
    "identifier" TEXT,
    "paying_type" TEXT,
    "is_flagged" BOOLEAN NOT NULL DEFAULT false,
    "reverses_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_balance" (
    "account_id" UUID NOT NULL,
    "balance_minor" BIGINT NOT NULL,

    CONSTRAINT "account_balance_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "account_balance_delta" (
    "seq" BIGSERIAL NOT NULL,
    "account_id" UUID NOT NULL,
    "delta_minor" BIGINT NOT NULL,

    CONSTRAINT "account_balance_delta_pkey" PRIMARY KEY ("seq")
);

-- CreateIndex
CREATE UNIQUE INDEX "organization_slug_key" ON "organization"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_organization_id_idx" ON "api_key"("organization_id");

-- CreateIndex
CREATE INDEX "audit_entry_organization_id_id_idx" ON "audit_entry"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "source_organization_id_slug_key" ON "source"("organization_id", "slug");

-- CreateIndex
CREATE INDEX "delivery_organization_id_seq_idx" ON "delivery"("organization_id", "seq");

-- CreateIndex
CREATE INDEX "delivery_organization_id_business_key_idx" ON "delivery"("organization_id", "business_key");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_source_id_dedupe_key_key" ON "delivery"("source_id", "dedupe_key");

-- CreateIndex
CREATE INDEX "run_organization_id_business_key_idx" ON "run"("organization_id", "business_key");

-- CreateIndex
CREATE UNIQUE INDEX "run_delivery_id_event_index_rule_key" ON "run"("delivery_id", "event_index", "rule");

-- CreateIndex
CREATE INDEX "effect_run_id_idx" ON "effect"("run_id");

-- CreateIndex
CREATE UNIQUE INDEX "attention_organization_id_business_key_code_detail_key" ON "attention"("organization_id", "business_key", "code", "detail");

-- CreateIndex
CREATE UNIQUE INDEX "bank_organization_id_code_key" ON "bank"("organization_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "category_group_organization_id_reference_code_key" ON "category_group"("organization_id", "reference_code");

-- CreateIndex
CREATE UNIQUE INDEX "category_organization_id_reference_code_key" ON "category"("organization_id", "reference_code");

-- CreateIndex
CREATE UNIQUE INDEX "cost_center_organization_id_external_code_key" ON "cost_center"("organization_id", "external_code");

-- CreateIndex
CREATE UNIQUE INDEX "stakeholder_organization_id_kind_document_key" ON "stakeholder"("organization_id", "kind", "document");

-- CreateIndex
CREATE INDEX "account_organization_id_id_idx" ON "account"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "account_organization_id_code_key" ON "account"("organization_id", "code");

-- CreateIndex
CREATE INDEX "schedule_organization_id_stakeholder_id_due_date_idx" ON "schedule"("organization_id", "stakeholder_id", "due_date");

-- CreateIndex
CREATE INDEX "schedule_organization_id_kind_due_date_idx" ON "schedule"("organization_id", "kind", "due_date");

-- CreateIndex
CREATE INDEX "schedule_organization_id_reference_idx" ON "schedule"("organization_id", "reference");

-- CreateIndex
CREATE INDEX "schedule_group_id_idx" ON "schedule"("group_id");

-- CreateIndex
CREATE UNIQUE INDEX "entry_reverses_id_key" ON "entry"("reverses_id");

-- CreateIndex
CREATE INDEX "entry_debit_id_date_idx" ON "entry"("debit_id", "date");

-- CreateIndex
CREATE INDEX "entry_credit_id_date_idx" ON "entry"("credit_id", "date");

-- CreateIndex
CREATE INDEX "account_balance_delta_account_id_idx" ON "account_balance_delta"("account_id");

-- AddForeignKey
ALTER TABLE "category" ADD CONSTRAINT "category_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "category_group"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_stakeholder_id_fkey" FOREIGN KEY ("stakeholder_id") REFERENCES "stakeholder"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "category"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_cost_center_id_fkey" FOREIGN KEY ("cost_center_id") REFERENCES "cost_center"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_balance" ADD CONSTRAINT "account_balance_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- ── What Prisma's schema cannot say ──────────────────────────────────────────────────────────────────────

-- Constraints. They repeat what the code promises, so that a mistake in the code is an error and not a wrong
-- number in somebody's books.

ALTER TABLE "organization"
    ADD CONSTRAINT "organization_slug_shape" CHECK ("slug" ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    ADD CONSTRAINT "organization_currency_shape" CHECK ("currency" ~ '^[A-Z]{3}$');

ALTER TABLE "api_key"
    ADD CONSTRAINT "api_key_hash_length" CHECK (octet_length("hash") = 32);

ALTER TABLE "source"
    ADD CONSTRAINT "source_slug_shape" CHECK ("slug" ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$');

ALTER TABLE "rule"
    ADD CONSTRAINT "rule_version_from_one" CHECK ("version" >= 1);

ALTER TABLE "rule_version"
    ADD CONSTRAINT "rule_version_version_from_one" CHECK ("version" >= 1);

ALTER TABLE "delivery"
    ADD CONSTRAINT "delivery_keys_not_empty" CHECK ("dedupe_key" <> '' AND "lane" <> ''),
    ADD CONSTRAINT "delivery_attempts_not_negative" CHECK ("attempts" >= 0),
    ADD CONSTRAINT "delivery_done_is_dated" CHECK ("state" <> 'done' OR "finished_at" IS NOT NULL),
    ADD CONSTRAINT "delivery_dead_says_why" CHECK ("state" <> 'dead' OR "reason" IS NOT NULL);

ALTER TABLE "run"
    ADD CONSTRAINT "run_event_index_not_negative" CHECK ("event_index" >= 0),
    ADD CONSTRAINT "run_rule_version_from_one" CHECK ("rule_version" >= 1),
    ADD CONSTRAINT "run_refused_says_why" CHECK ("state" <> 'refused' OR "reason" IS NOT NULL);

ALTER TABLE "effect"
    ADD CONSTRAINT "effect_key_not_empty" CHECK ("key" <> ''),
    ADD CONSTRAINT "effect_amount_not_negative" CHECK ("amount_minor" >= 0),
    ADD CONSTRAINT "effect_refused_says_why" CHECK ("state" <> 'refused' OR "reason" IS NOT NULL);

ALTER TABLE "attention"
    ADD CONSTRAINT "attention_amount_not_negative" CHECK ("amount_minor" >= 0);

ALTER TABLE "bank"
    ADD CONSTRAINT "bank_code_shape" CHECK ("code" ~ '^[0-9]{3}$');

ALTER TABLE "category"
    ADD CONSTRAINT "category_type_known" CHECK ("type" IN ('in', 'out'));

ALTER TABLE "stakeholder"
    ADD CONSTRAINT "stakeholder_document_type_known" CHECK ("document_type" IN ('Cpf', 'Cnpj', 'Foreign')),
    ADD CONSTRAINT "stakeholder_cpf_shape" CHECK ("document_type" <> 'Cpf' OR "document" IS NOT NULL AND "document" ~ '^[0-9]{11}$'),
    ADD CONSTRAINT "stakeholder_cnpj_shape" CHECK ("document_type" <> 'Cnpj' OR "document" IS NOT NULL AND "document" ~ '^[0-9A-Z]{12}[0-9]{2}$');

ALTER TABLE "schedule"
    ADD CONSTRAINT "schedule_value_above_zero" CHECK ("value_minor" > 0),
    ADD CONSTRAINT "schedule_open_within_value" CHECK ("open_minor" BETWEEN 0 AND "value_minor"),
    ADD CONSTRAINT "schedule_instalment_within_count" CHECK ("instalment" BETWEEN 1 AND "instalment_count");

ALTER TABLE "entry"
    ADD CONSTRAINT "entry_amount_above_zero" CHECK ("amount_minor" > 0),
    ADD CONSTRAINT "entry_between_two_books" CHECK (NOT ("debit_book" = "credit_book" AND "debit_id" = "credit_id")),
    ADD CONSTRAINT "entry_reversal_names_its_entry" CHECK (("kind" = 'reversal') = ("reverses_id" IS NOT NULL) AND "reverses_id" <> "id");

-- Partial indexes. The claim walks the waiting deliveries and nothing else, however many are behind it, and
-- whatever the planner believes about the table.

CREATE INDEX "delivery_waiting_ready_at_seq_idx" ON "delivery"("ready_at", "seq") WHERE "state" = 'waiting';
CREATE INDEX "delivery_waiting_lane_seq_idx" ON "delivery"("lane", "seq") WHERE "state" = 'waiting';
CREATE INDEX "delivery_dead_organization_id_seq_idx" ON "delivery"("organization_id", "seq") WHERE "state" = 'dead';
CREATE INDEX "attention_unresolved_organization_id_id_idx" ON "attention"("organization_id", "id") WHERE "resolved_at" IS NULL;

-- Append-only. What is booked or audited is corrected by a further row.

CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER "entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- Bodies are stored once and read once: lz4 packs them several times faster than the default. The embedded
-- database and some servers are built without it and keep the default.
DO $$
BEGIN
    ALTER TABLE "delivery" ALTER COLUMN "body" SET COMPRESSION lz4;
EXCEPTION
    WHEN feature_not_supported THEN NULL;
END
$$;
