-- By hand.

LOCK TABLE "account_balance", "watch_customer", "watch_record", "watch_staged", "watch_turn" IN ACCESS EXCLUSIVE MODE;

-- Ponte's own books announce their changes when they are written; their listings are no longer polled.

-- The balance that connectors know. What an account has now is what they were told last, or will not be told: what was
-- so before is not announced. The version before leaves the column as it is.
ALTER TABLE "account_balance" ADD COLUMN "announced_minor" BIGINT;

INSERT INTO "account_balance" ("account_id", "balance_minor")
SELECT "id", 0 FROM "account"
ON CONFLICT ("account_id") DO NOTHING;

UPDATE "account_balance" b SET "announced_minor" = b."balance_minor" + coalesce(
    (SELECT sum(d."delta_minor") FROM "account_balance_delta" d WHERE d."account_id" = b."account_id"), 0);

-- For which due date a schedule was announced to be overdue.
CREATE TABLE "overdue_announcement" (
    "schedule_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "due_date" DATE NOT NULL,

    CONSTRAINT "overdue_announcement_pkey" PRIMARY KEY ("schedule_id")
);

-- The last day of an organization, in its zone, whose overdue schedules were announced.
CREATE TABLE "overdue_run" (
    "organization_id" UUID NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "overdue_run_pkey" PRIMARY KEY ("organization_id")
);

-- What was announced by polling stays announced. An organization that was polled goes on from the day of its last
-- complete poll; one that never was begins with what is overdue then, which is not announced. A remote service's
-- schedules are none of ours.
INSERT INTO "overdue_announcement" ("schedule_id", "organization_id", "due_date")
SELECT r."record_id", r."organization_id", max(r."told_due") FROM "watch_record" r
JOIN "schedule" s ON s."id" = r."record_id" AND s."organization_id" = r."organization_id"
WHERE r."kind" IN ('debit-schedules', 'overdue-credit') AND r."told_due" IS NOT NULL
GROUP BY r."record_id", r."organization_id";

INSERT INTO "overdue_run" ("organization_id", "day")
SELECT t."organization_id", min((t."looked_at" AT TIME ZONE o."time_zone")::date - 1) FROM "watch_turn" t
JOIN "organization" o ON o."id" = t."organization_id"
WHERE t."kind" IN ('debit-schedules', 'overdue-credit') AND t."service" = 'embedded'
GROUP BY t."organization_id"
HAVING count(t."looked_at") = 2;

-- Nobody polls Ponte's own books any more.
DELETE FROM "watch_staged" w USING "watch_turn" t
WHERE t."organization_id" = w."organization_id" AND t."service" = 'embedded';
DELETE FROM "watch_record" w USING "watch_turn" t
WHERE t."organization_id" = w."organization_id" AND t."kind" = w."kind" AND t."service" = 'embedded';
DELETE FROM "watch_customer" w USING "watch_turn" t
WHERE t."organization_id" = w."organization_id" AND t."kind" = 'customer-schedules' AND t."service" = 'embedded';
DELETE FROM "watch_turn" WHERE "service" = 'embedded';
