-- CreateEnum
CREATE TYPE "counted_record" AS ENUM ('supplier', 'payable', 'open_receivable');

-- CreateTable
CREATE TABLE "record_count" (
    "organization_id" UUID NOT NULL,
    "counted" "counted_record" NOT NULL,
    "day" DATE NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "record_count_pkey" PRIMARY KEY ("organization_id","counted","day")
);

-- CreateTable
CREATE TABLE "record_count_delta" (
    "seq" BIGSERIAL NOT NULL,
    "organization_id" UUID NOT NULL,
    "counted" "counted_record" NOT NULL,
    "day" DATE NOT NULL,
    "change" INTEGER NOT NULL,

    CONSTRAINT "record_count_delta_pkey" PRIMARY KEY ("seq")
);

-- CreateIndex
CREATE INDEX "record_count_delta_organization_id_counted_day_idx" ON "record_count_delta"("organization_id", "counted", "day");

-- Written and emptied all the time.
ALTER TABLE "record_count" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE "record_count_delta" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- What a schedule counts as; nothing for one of a paid order, which is settled when it is written.
CREATE FUNCTION "schedule_counts_as"("kind" "schedule_kind", "open_minor" BIGINT, "due_date" DATE)
RETURNS TABLE ("counted" "counted_record", "day" DATE) LANGUAGE sql IMMUTABLE AS $$
    SELECT 'payable'::"counted_record", '-infinity'::DATE WHERE "kind" = 'debit'
    UNION ALL
    SELECT 'open_receivable', "due_date" WHERE "kind" = 'credit' AND "open_minor" > 0
$$;

-- The old row, where there was one, counts no more, and the new one does.
CREATE FUNCTION "count_schedule"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "record_count_delta" ("organization_id", "counted", "day", "change")
    SELECT s.organization_id, c.counted, c.day, sum(s.change)
    FROM (VALUES
        (NEW.organization_id, NEW.kind, NEW.open_minor, NEW.due_date, 1),
        (OLD.organization_id, OLD.kind, OLD.open_minor, OLD.due_date, -1)
    ) AS s(organization_id, kind, open_minor, due_date, change)
    CROSS JOIN LATERAL "schedule_counts_as"(s.kind, s.open_minor, s.due_date) AS c
    GROUP BY s.organization_id, c.counted, c.day
    HAVING sum(s.change) <> 0;
    RETURN NULL;
END
$$;

CREATE FUNCTION "count_supplier"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "record_count_delta" ("organization_id", "counted", "day", "change")
    SELECT t.organization_id, 'supplier', '-infinity', sum(t.change)
    FROM (VALUES
        (NEW.organization_id, NEW.kind, NEW.deleted_at, 1),
        (OLD.organization_id, OLD.kind, OLD.deleted_at, -1)
    ) AS t(organization_id, kind, deleted_at, change)
    WHERE t.kind = 'supplier' AND t.deleted_at IS NULL
    GROUP BY t.organization_id
    HAVING sum(t.change) <> 0;
    RETURN NULL;
END
$$;

-- The conditions keep what counts as nothing from costing anything.
CREATE TRIGGER "schedule_comes" AFTER INSERT ON "schedule" FOR EACH ROW
    WHEN (NEW.kind = 'debit' OR NEW.open_minor > 0) EXECUTE FUNCTION "count_schedule"();
CREATE TRIGGER "schedule_changes" AFTER UPDATE ON "schedule" FOR EACH ROW
    WHEN ((OLD.organization_id, OLD.kind, OLD.open_minor > 0, OLD.due_date)
        IS DISTINCT FROM (NEW.organization_id, NEW.kind, NEW.open_minor > 0, NEW.due_date))
    EXECUTE FUNCTION "count_schedule"();
CREATE TRIGGER "schedule_goes" AFTER DELETE ON "schedule" FOR EACH ROW EXECUTE FUNCTION "count_schedule"();
CREATE TRIGGER "supplier_comes" AFTER INSERT ON "stakeholder" FOR EACH ROW
    WHEN (NEW.kind = 'supplier') EXECUTE FUNCTION "count_supplier"();
CREATE TRIGGER "supplier_changes" AFTER UPDATE ON "stakeholder" FOR EACH ROW
    WHEN (OLD.kind = 'supplier' OR NEW.kind = 'supplier') EXECUTE FUNCTION "count_supplier"();

-- All of it counted anew, by reading every schedule and supplier.
CREATE FUNCTION "recounted_records"()
RETURNS TABLE ("organization_id" UUID, "counted" "counted_record", "day" DATE, "count" BIGINT) LANGUAGE sql STABLE AS $$
    SELECT s.organization_id, c.counted, c.day, count(*)
    FROM "schedule" s CROSS JOIN LATERAL "schedule_counts_as"(s.kind, s.open_minor, s.due_date) AS c
    WHERE s.kind = 'debit' OR s.open_minor > 0
    GROUP BY s.organization_id, c.counted, c.day
    UNION ALL
    SELECT t.organization_id, 'supplier', '-infinity', count(*)
    FROM "stakeholder" t
    WHERE t.kind = 'supplier' AND t.deleted_at IS NULL
    GROUP BY t.organization_id
$$;

-- The triggers hold off whoever writes until this is committed.
INSERT INTO "record_count" ("organization_id", "counted", "day", "count")
SELECT "organization_id", "counted", "day", "count" FROM "recounted_records"();
