-- AlterTable
ALTER TABLE "lookup_table" ADD COLUMN     "file_digest" BYTEA;

-- AlterTable
ALTER TABLE "organization" ADD COLUMN     "file_digest" BYTEA;

-- AlterTable
ALTER TABLE "rule" ADD COLUMN     "file_digest" BYTEA;

-- AlterTable
ALTER TABLE "source" ADD COLUMN     "file_digest" BYTEA;

-- CreateTable
CREATE TABLE "catalog_revision" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "revision" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "catalog_revision_pkey" PRIMARY KEY ("id")
);
