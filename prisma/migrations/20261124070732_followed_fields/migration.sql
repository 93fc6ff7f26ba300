-- CreateTable
CREATE TABLE "followed_field" (
    "organization_id" UUID NOT NULL,
    "record_id" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "as_of" TIMESTAMPTZ(3) NOT NULL,
    "digest" BYTEA NOT NULL,
    "run_id" UUID,
    "differs" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "followed_field_pkey" PRIMARY KEY ("organization_id","record_id","field")
);
