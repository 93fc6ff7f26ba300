-- By hand.

-- Two indexes that begin alike are taken for one another while there are no statistics, and each look at a record read
-- all that an organization has of its kind.
DROP INDEX "watch_record_organization_id_kind_scope_id_idx";
CREATE INDEX "watch_record_scope_id_organization_id_kind_idx" ON "watch_record"("scope_id", "organization_id", "kind");

-- Whatever is staged now is of a whole listing: a look at a customer begins anew after a start.
ALTER TABLE "watch_staged" ADD COLUMN "scope_id" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
ALTER TABLE "watch_staged" ALTER COLUMN "scope_id" DROP DEFAULT;
