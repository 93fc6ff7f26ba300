-- CreateTable
CREATE TABLE "source_failure" (
    "source_id" UUID NOT NULL,
    "topic" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "failed_at" TIMESTAMPTZ(3)[],
    "reason" TEXT NOT NULL,

    CONSTRAINT "source_failure_pkey" PRIMARY KEY ("source_id","topic")
);

-- CreateTable
CREATE TABLE "source_switch_off" (
    "source_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "raised_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "source_switch_off_pkey" PRIMARY KEY ("source_id")
);
