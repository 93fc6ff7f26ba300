-- CreateTable
CREATE TABLE "source_health" (
    "source_id" UUID NOT NULL,
    "expected_within_seconds" INTEGER,
    "learned_at" TIMESTAMPTZ(3) NOT NULL,
    "silent_since" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),

    CONSTRAINT "source_health_pkey" PRIMARY KEY ("source_id")
);

-- CreateTable
CREATE TABLE "source_refusal_count" (
    "source_id" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "source_refusal_count_pkey" PRIMARY KEY ("source_id","since")
);
