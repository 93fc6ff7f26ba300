-- AlterTable: an item may be about a source and no delivery of it. The version before cannot list such an item. None is written
-- for a source whose webhooks nobody has had registered by this version.
ALTER TABLE "attention" ALTER COLUMN "delivery_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "source_hooks" (
    "source_id" UUID NOT NULL,
    "known" TEXT[],
    "checked_at" TIMESTAMPTZ(3),
    "problem" TEXT,
    "raised" TEXT,
    "check_after" TIMESTAMPTZ(3) NOT NULL,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "source_hooks_pkey" PRIMARY KEY ("source_id")
);
