-- CreateIndex
CREATE INDEX "entry_organization_id_id_idx" ON "entry"("organization_id", "id");
