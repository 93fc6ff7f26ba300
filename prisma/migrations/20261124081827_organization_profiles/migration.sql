-- The profile of an organization, and which rules a change of it disabled. The version before leaves all of it as it is.
LOCK TABLE "organization", "rule" IN ACCESS EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "organization" ADD COLUMN     "profile" TEXT NOT NULL DEFAULT 'cash',
ADD COLUMN     "profile_digest" BYTEA;

-- AlterTable
ALTER TABLE "rule" ADD COLUMN     "profile_disabled" BOOLEAN NOT NULL DEFAULT false;
