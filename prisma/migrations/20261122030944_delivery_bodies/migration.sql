-- Bodies leave the deliveries' rows, which are written again as they are worked on, for a table of their own in months:
-- what is old is dropped as whole tables. A delivery's identifier begins with the milliseconds of its receipt (UUIDv7),
-- so a range of identifiers is a range of time, and the key finds the month.

CREATE TABLE "delivery_body" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "body" BYTEA NOT NULL,

    CONSTRAINT "delivery_body_pkey" PRIMARY KEY ("organization_id","id")
) PARTITION BY RANGE ("id");

-- What no month is there for; intake never fails for the lack of one. Months are made by the service
-- (src/deliveries/body-months.repository.ts) like this one, hence with its storage.
CREATE TABLE "delivery_body_default" PARTITION OF "delivery_body" DEFAULT;

CREATE TABLE "dropped_body_month" (
    "month" TEXT NOT NULL,
    "dropped_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dropped_body_month_pkey" PRIMARY KEY ("month")
);

-- A packed body that fits a page stays in it: an order is one row instead of one row, two pieces and their index entries.
ALTER TABLE "delivery_body" ALTER COLUMN "body" SET STORAGE MAIN;
ALTER TABLE "delivery_body_default" ALTER COLUMN "body" SET STORAGE MAIN;

-- lz4 packs several times faster than the default. Some servers are built without it and keep the default.
DO $$
BEGIN
    ALTER TABLE "delivery_body" ALTER COLUMN "body" SET COMPRESSION lz4;
    ALTER TABLE "delivery_body_default" ALTER COLUMN "body" SET COMPRESSION lz4;
EXCEPTION
    WHEN feature_not_supported THEN NULL;
END
$$;

-- The months of what is there already, each filled before it becomes a part of the whole.
DO $$
DECLARE
    "from" TIMESTAMPTZ;
    "name" TEXT;
    "low" UUID;
    "high" UUID;
BEGIN
    FOR "from" IN
        SELECT DISTINCT date_trunc('month', received_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
        FROM "delivery" WHERE "body_purged_at" IS NULL
    LOOP
        "name" := 'delivery_body_' || to_char("from" AT TIME ZONE 'UTC', 'YYYY_MM');
        "low" := rpad(lpad(to_hex((extract(epoch FROM "from") * 1000)::bigint), 12, '0'), 32, '0')::uuid;
        "high" := rpad(lpad(to_hex((extract(epoch FROM
            ("from" AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC') * 1000)::bigint), 12, '0'), 32, '0')::uuid;
        EXECUTE format('CREATE TABLE %I (LIKE "delivery_body" INCLUDING ALL)', "name");
        EXECUTE format('INSERT INTO %I SELECT organization_id, id, body FROM "delivery"
            WHERE "body_purged_at" IS NULL AND id >= %L AND id < %L', "name", "low", "high");
        EXECUTE format('ALTER TABLE "delivery_body" ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', "name", "low", "high");
    END LOOP;
    INSERT INTO "delivery_body_default" SELECT organization_id, id, body FROM "delivery" d
    WHERE "body_purged_at" IS NULL AND NOT EXISTS (
        SELECT FROM "delivery_body" b WHERE b.organization_id = d.organization_id AND b.id = d.id);
END
$$;

-- AlterTable
ALTER TABLE "delivery" DROP COLUMN "body";

-- What goes with its month needs no list of what is to go.
DROP INDEX "delivery_purgeable_organization_id_received_at_idx";
