-- CreateTable
CREATE TABLE "source_comparison" (
    "id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "lease_number" INTEGER NOT NULL DEFAULT 0,
    "compared_until" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "found" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,

    CONSTRAINT "source_comparison_pkey" PRIMARY KEY ("id")
);
