-- `ponte restore` adds it to a backup of an older version, so that nothing is sent before it is looked for.
ALTER TABLE "finance_connection" ADD COLUMN IF NOT EXISTS "recovered_at" TIMESTAMPTZ(3);
