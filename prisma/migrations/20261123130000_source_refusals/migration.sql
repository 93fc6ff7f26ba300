-- When a webhook to the source was last refused, and why. Null: none was since there are the columns.
ALTER TABLE "source" ADD COLUMN "refused_at" TIMESTAMPTZ(3),
ADD COLUMN "refused_reason" TEXT;
