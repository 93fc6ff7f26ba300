-- When a customer, a supplier or an account was last changed. Null: not since there is the column. A trigger keeps it,
-- so that the version before, which does not know it, keeps it too. What changes nothing leaves it as it is.
LOCK TABLE "stakeholder", "account" IN ACCESS EXCLUSIVE MODE;
ALTER TABLE "stakeholder" ADD COLUMN "updated_at" TIMESTAMPTZ(3);
ALTER TABLE "account" ADD COLUMN "updated_at" TIMESTAMPTZ(3);

CREATE FUNCTION "keep_update_date"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."updated_at" := now();
    RETURN NEW;
END
$$;

CREATE TRIGGER "stakeholder_update_date" BEFORE UPDATE ON "stakeholder"
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "keep_update_date"();
CREATE TRIGGER "account_update_date" BEFORE UPDATE ON "account"
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "keep_update_date"();
