-- CreateTable
CREATE TABLE "delivery_repeat" (
    "delivery_id" UUID NOT NULL,
    "count" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delivery_repeat_pkey" PRIMARY KEY ("delivery_id")
);
