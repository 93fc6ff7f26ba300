-- AlterTable
ALTER TABLE "rule" ADD COLUMN     "settings" JSONB,
ADD COLUMN     "settings_digest" BYTEA;
