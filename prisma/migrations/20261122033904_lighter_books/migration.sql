-- DropForeignKey
ALTER TABLE "schedule" DROP CONSTRAINT "schedule_category_id_fkey";

-- DropForeignKey
ALTER TABLE "schedule" DROP CONSTRAINT "schedule_cost_center_id_fkey";

-- DropForeignKey
ALTER TABLE "schedule" DROP CONSTRAINT "schedule_stakeholder_id_fkey";

-- DropIndex
DROP INDEX "effect_run_id_idx";

-- DropIndex
DROP INDEX "entry_reverses_id_key";

-- DropIndex
DROP INDEX "schedule_group_id_idx";

-- DropIndex
DROP INDEX "schedule_recurrence_id_occurrence_key";

-- Each of a paid order's rows was written into an index whose key is nearly always null. The indexes keep what they
-- are for: an entry is taken back once, an occurrence is made once.
CREATE UNIQUE INDEX "entry_reverses_id_key" ON "entry"("reverses_id") WHERE "reverses_id" IS NOT NULL;
CREATE UNIQUE INDEX "schedule_recurrence_id_occurrence_key" ON "schedule"("recurrence_id", "occurrence")
    WHERE "recurrence_id" IS NOT NULL;

-- In place of the foreign keys, which took a lock on the customer's and the category's row for each instalment: whoever
-- opens a schedule has looked its records up, and none of them is ever removed. Deleting one only marks it.
CREATE FUNCTION "refuse_removal"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never removed: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER "stakeholder_is_kept" BEFORE DELETE OR TRUNCATE ON "stakeholder"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_removal"();
CREATE TRIGGER "category_is_kept" BEFORE DELETE OR TRUNCATE ON "category"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_removal"();
CREATE TRIGGER "cost_center_is_kept" BEFORE DELETE OR TRUNCATE ON "cost_center"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_removal"();

-- As the bodies: a run's plan and steps are packed for each order.
DO $$
BEGIN
    ALTER TABLE "run" ALTER COLUMN "plan" SET COMPRESSION lz4;
    ALTER TABLE "run" ALTER COLUMN "steps" SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    NULL;
END
$$;
