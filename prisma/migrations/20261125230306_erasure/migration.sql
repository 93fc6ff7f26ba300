-- What work writes waits for these locks, and they for it: no longer than it takes to add an empty column and two triggers.
LOCK TABLE "stakeholder", "entry", "audit_entry" IN ACCESS EXCLUSIVE MODE;

-- CreateEnum
CREATE TYPE "erasure_state" AS ENUM ('running', 'waiting', 'done');

-- AlterTable
ALTER TABLE "stakeholder" ADD COLUMN     "erased_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "erasure" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "requested_by" TEXT NOT NULL,
    "reason" TEXT,
    "delivery_id" UUID,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "state" "erasure_state" NOT NULL DEFAULT 'running',
    "discard_dead" BOOLEAN NOT NULL,
    "step" TEXT NOT NULL,
    "place" JSONB,
    "person" BYTEA,
    "records" UUID[] DEFAULT ARRAY[]::UUID[],
    "counts" JSONB NOT NULL DEFAULT '{}',
    "note" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "lease_number" INTEGER NOT NULL DEFAULT 0,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "erasure_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "erasure_organization_id_id_idx" ON "erasure"("organization_id", "id");

-- What is booked or audited stays, but for what names a person, while an erasure is under way. The transaction names the
-- erasure in the setting ponte.erasure.
CREATE FUNCTION "erasure_under_way"() RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM "erasure"
        WHERE "id"::text = current_setting('ponte.erasure', true) AND "state" = 'running')
$$;

CREATE OR REPLACE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF "erasure_under_way"() THEN
            RETURN NULL;
        END IF;
    END IF;
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

-- The columns that may change are the trigger's arguments; everything else of the row is as it was.
CREATE FUNCTION "refuse_change_but_texts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF "erasure_under_way"() AND to_jsonb(NEW) - TG_ARGV = to_jsonb(OLD) - TG_ARGV THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER "entry_keeps_facts" BEFORE UPDATE ON "entry" FOR EACH ROW
    EXECUTE FUNCTION "refuse_change_but_texts"('description', 'reference', 'identifier');
CREATE TRIGGER "audit_entry_keeps_facts" BEFORE UPDATE ON "audit_entry" FOR EACH ROW
    EXECUTE FUNCTION "refuse_change_but_texts"('before', 'after', 'reason', 'subject');
