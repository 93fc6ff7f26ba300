-- CreateTable
CREATE TABLE "source_access" (
    "source_id" UUID NOT NULL,
    "granted" BYTEA,
    "lease_id" UUID,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "source_access_pkey" PRIMARY KEY ("source_id")
);
