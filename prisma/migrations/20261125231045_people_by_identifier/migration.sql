-- The data of a change has a person's identifier alone: who that is stands in the books, and the view fills it in as the books
-- have it when the feed is read. So the version before, which reads the view, shows connectors what it always did.
-- What it writes has the person in it and is shown as it was written: its rows have no "people_by_identifier".
LOCK TABLE "feed_change", "feed_stored_change" IN ACCESS EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "feed_stored_change" ADD COLUMN     "people_by_identifier" BOOLEAN;

-- Every change with its data. A customer is shown as the list of stakeholders shows it (supplier-list.sql.ts), everybody else as
-- lists of schedules and movements do. The place of the person is found by its text: within a JSON string its quotes
-- would have backslashes before them.
CREATE OR REPLACE VIEW "feed_change" AS
    SELECT c."batch_id", c."number", c."type", c."subject", c."business_key", c."delivery_id",
        CASE WHEN c."people_by_identifier" THEN coalesce((
            SELECT CASE WHEN c."type" LIKE 'customer.%' THEN
                '{"id":"' || t."id" || '","name":' || to_json(t."name")
                || ',"initialsName":' || to_json(upper(regexp_replace(t."name", '\s*(\S)\S*\s*', '\1', 'g')))
                || coalesce(',"email":' || to_json(t."email"), '')
                || coalesce(',"phone":' || to_json(t."phone"), '')
                || ',"document":{' || substr(
                    coalesce(',"number":' || to_json(t."document"), '')
                    || coalesce(',"type":' || to_json(t."document_type"), ''), 2)
                || '},"communication":{' || substr(
                    coalesce(',"contactName":' || to_json(t."details" -> 'communication' ->> 'contactName'), '')
                    || coalesce(',"email":' || to_json(t."details" -> 'communication' ->> 'email'), '')
                    || coalesce(',"phone":' || to_json(t."details" -> 'communication' ->> 'phone'), '')
                    || coalesce(',"cellPhone":' || to_json(t."details" -> 'communication' ->> 'cellPhone'), '')
                    || coalesce(',"webSite":' || to_json(t."details" -> 'communication' ->> 'webSite'), ''), 2)
                || '},"address":{' || substr(
                    coalesce(',"line1":' || to_json(t."details" -> 'address' ->> 'line1'), '')
                    || coalesce(',"line2":' || to_json(t."details" -> 'address' ->> 'line2'), '')
                    || coalesce(',"number":' || ((t."details" -> 'address' ->> 'number')::int), '')
                    || coalesce(',"district":' || to_json(t."details" -> 'address' ->> 'district'), '')
                    || coalesce(',"city":' || to_json(t."details" -> 'address' ->> 'city'), '')
                    || coalesce(',"state":' || to_json(t."details" -> 'address' ->> 'state'), '')
                    || coalesce(',"zipCode":' || to_json(t."details" -> 'address' ->> 'zipCode'), '')
                    || coalesce(',"country":' || to_json(t."details" -> 'address' ->> 'country'), '')
                    || coalesce(',"ibgeCode":' || to_json(t."details" -> 'address' ->> 'ibgeCode'), ''), 2)
                || '},"bankAccountInformation":{' || substr(
                    coalesce(',"bank":' || to_json(t."details" -> 'bankAccountInformation' ->> 'bank'), '')
                    || coalesce(',"agency":' || to_json(t."details" -> 'bankAccountInformation' ->> 'agency'), '')
                    || coalesce(
                        ',"accountNumber":' || to_json(t."details" -> 'bankAccountInformation' ->> 'accountNumber'), ''), 2)
                || '},"companyInformation":{' || substr(
                    coalesce(',"companyName":' || to_json(t."details" -> 'companyInformation' ->> 'companyName'), '')
                    || coalesce(
                        ',"municipalInscription":'
                            || to_json(t."details" -> 'companyInformation' ->> 'municipalInscription'), ''), 2)
                || '},"type":' || to_json(initcap(t."kind"::text)) || '}'
            ELSE
                replace(
                    own."data"::text,
                    '"stakeholder":{"id":"' || t."id" || '"}',
                    '"stakeholder":{"id":"' || t."id" || '","name":' || to_json(t."name")
                        || ',"isDeleted":' || CASE WHEN t."deleted_at" IS NULL THEN 'false' ELSE 'true' END || '}')
            END::json
            FROM "stakeholder" t
            WHERE t."id" = (CASE WHEN c."type" LIKE 'customer.%'
                THEN own."data" ->> 'id' ELSE own."data" #>> '{stakeholder,id}' END)::uuid
        ), own."data") ELSE own."data" END AS "data"
    FROM "feed_stored_change" c
    CROSS JOIN LATERAL (
        -- OFFSET 0: the other row is read once.
        SELECT CASE WHEN c."data_of" IS NULL THEN c."data" ELSE (
            SELECT o."data" FROM "feed_stored_change" o WHERE o."batch_id" = c."batch_id" AND o."number" = c."data_of"
        ) END AS "data" OFFSET 0
    ) own;
