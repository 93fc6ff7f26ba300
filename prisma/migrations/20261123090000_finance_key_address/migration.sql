-- The address that a finance service's key was given for. Null: stored before there was the column.
ALTER TABLE "finance_connection" ADD COLUMN "key_address" TEXT;
