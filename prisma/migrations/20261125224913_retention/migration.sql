-- AlterTable
ALTER TABLE "organization" ADD COLUMN     "retention" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "retention_progress" (
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "place" JSONB,
    "ended" BOOLEAN NOT NULL DEFAULT false,
    "pass_began_at" TIMESTAMPTZ(3),
    "ran_at" TIMESTAMPTZ(3),
    "removed" INTEGER NOT NULL DEFAULT 0,
    "removed_ever" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "retention_progress_pkey" PRIMARY KEY ("organization_id","kind")
);

-- CreateTable
CREATE TABLE "feed_removal" (
    "organization_id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "key" UUID NOT NULL,
    "changes" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_removal_pkey" PRIMARY KEY ("organization_id")
);
