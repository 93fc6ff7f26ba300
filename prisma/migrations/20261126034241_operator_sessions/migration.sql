-- CreateTable
CREATE TABLE "operator_session" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "key_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operator_session_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "operator_session_token_hash_key" ON "operator_session"("token_hash");

-- CreateIndex
CREATE INDEX "operator_session_expires_at_idx" ON "operator_session"("expires_at");
