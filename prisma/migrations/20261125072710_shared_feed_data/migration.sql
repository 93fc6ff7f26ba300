-- A change may have the data of another one of its batch, and then has no copy of it. The version before goes on reading and
-- writing `feed_change`, which is a view with the columns that the table had.
-- contract: the table feed_change is feed_stored_change; what reads or writes it under its old name uses the view
ALTER TABLE "feed_change" RENAME TO "feed_stored_change";

-- AlterTable
ALTER TABLE "feed_stored_change" ADD COLUMN     "data_of" INTEGER,
ALTER COLUMN "data" DROP NOT NULL;

ALTER TABLE "feed_stored_change"
    ADD CONSTRAINT "feed_stored_change_data_once" CHECK (("data" IS NULL) = ("data_of" IS NOT NULL)) NOT VALID;

-- Every change with its data.
CREATE VIEW "feed_change" AS
    SELECT c."batch_id", c."number", c."type", c."subject", c."business_key", c."delivery_id",
        CASE WHEN c."data_of" IS NULL THEN c."data" ELSE (
            SELECT o."data" FROM "feed_stored_change" o WHERE o."batch_id" = c."batch_id" AND o."number" = c."data_of"
        ) END AS "data"
    FROM "feed_stored_change" c;

CREATE FUNCTION "store_feed_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "feed_stored_change" ("batch_id", "number", "type", "subject", "business_key", "delivery_id", "data")
    VALUES (NEW."batch_id", NEW."number", NEW."type", NEW."subject", NEW."business_key", NEW."delivery_id", NEW."data");
    RETURN NEW;
END
$$;

CREATE TRIGGER "feed_change_is_stored" INSTEAD OF INSERT ON "feed_change"
    FOR EACH ROW EXECUTE FUNCTION "store_feed_change"();
