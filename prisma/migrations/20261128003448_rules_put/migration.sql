-- When a rule, lookup table or setting of the organization was last put: what was applied before is not compared with it.

-- AlterTable
ALTER TABLE "organization" ADD COLUMN     "rules_put_at" TIMESTAMPTZ(3);
