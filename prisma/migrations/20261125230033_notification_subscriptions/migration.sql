-- CreateEnum
CREATE TYPE "subscription_schedule" AS ENUM ('immediate', 'hourly', 'daily');

-- AlterTable
ALTER TABLE "deferred_effect" ALTER COLUMN "delivery_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "notification_subscription" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "emails" TEXT[],
    "endpoint" TEXT,
    "language" TEXT NOT NULL,
    "schedule" "subscription_schedule" NOT NULL,
    "at_minute" INTEGER,
    "about" TEXT[],
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "messages" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_subscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification_told" (
    "subscription_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "item_id" UUID NOT NULL,
    "version" TEXT NOT NULL,

    CONSTRAINT "notification_told_pkey" PRIMARY KEY ("subscription_id","kind","item_id")
);

-- CreateIndex
CREATE INDEX "notification_subscription_next_at_id_idx" ON "notification_subscription"("next_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "notification_subscription_organization_id_name_key" ON "notification_subscription"("organization_id", "name");
