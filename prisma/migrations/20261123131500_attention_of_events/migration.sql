-- What an event leaves to a person need not be a run's: no rule may have matched. And it may be in a currency that is
-- not the organization's. Null: no run; the organization's currency.
ALTER TABLE "attention" ALTER COLUMN "run_id" DROP NOT NULL, ADD COLUMN "currency" TEXT;
