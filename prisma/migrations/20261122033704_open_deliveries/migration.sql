-- CreateTable
CREATE TABLE "open_delivery" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "topic" TEXT NOT NULL,
    "lane" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "state" "delivery_state" NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "ready_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_id" UUID,

    CONSTRAINT "open_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "entity_delivery" (
    "organization_id" UUID NOT NULL,
    "business_key" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "id" UUID NOT NULL,

    CONSTRAINT "entity_delivery_pkey" PRIMARY KEY ("organization_id","business_key","received_at","id")
);

-- CreateIndex
CREATE INDEX "open_delivery_organization_id_state_received_at_id_idx" ON "open_delivery"("organization_id", "state", "received_at", "id");

-- CreateIndex
CREATE INDEX "open_delivery_source_id_state_idx" ON "open_delivery"("source_id", "state");

-- ── What Prisma's schema cannot say ──────────────────────────────────────────────────────────────────────

-- A delivery is written when it arrives and when it is done. As long as an index of its table speaks of what changes
-- then, PostgreSQL writes a new entry into each of its indexes; now none does, and the second version stays in the page of
-- the first, if there is room: a delivery leaves as much as it will need.
ALTER TABLE "delivery" SET (fillfactor = 45);

DROP INDEX "delivery_waiting_ready_at_seq_idx";
DROP INDEX "delivery_waiting_lane_seq_idx";
DROP INDEX "delivery_not_done_organization_id_state_idx";
DROP INDEX "delivery_open_source_id_state_idx";
DROP INDEX "delivery_organization_id_business_key_idx";

-- The claim walks what waits and nothing else.
CREATE INDEX "open_delivery_waiting_ready_at_seq_idx" ON "open_delivery"("ready_at", "seq") WHERE "state" = 'waiting';
CREATE INDEX "open_delivery_waiting_lane_seq_idx" ON "open_delivery"("lane", "seq") WHERE "state" = 'waiting';

-- Rows come and go by the thousand and the tables stay small: vacuumed by number, not by a share of what was in them when
-- the backlog was large, and without pauses, for what is left behind stands before all that is looked for.
ALTER TABLE "open_delivery" SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "feed_waiting" SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE "account_balance_delta" SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- These only grow: a fifth of them would be millions of rows before anybody looked again.
ALTER TABLE "delivery" SET (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "effect" SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "schedule" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

INSERT INTO "open_delivery" (id, organization_id, source_id, topic, lane, seq, state, received_at, ready_at, lease_id)
SELECT id, organization_id, source_id, topic, lane, seq, state, received_at, ready_at, lease_id
FROM "delivery" WHERE state <> 'done';

INSERT INTO "entity_delivery" (organization_id, business_key, received_at, id)
SELECT organization_id, business_key, received_at, id FROM "delivery" WHERE business_key IS NOT NULL;

-- Once a statement, however many rows it has. Plans made while the tables were small are kept by a session, hence
-- nothing here may be read as a whole.
CREATE FUNCTION "keep_open_delivery"() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM open_delivery WHERE id = ANY (ARRAY(SELECT c.id FROM changed c WHERE c.state = 'done'));
    END IF;
    INSERT INTO open_delivery (id, organization_id, source_id, topic, lane, seq, state, received_at, ready_at, lease_id)
    SELECT id, organization_id, source_id, topic, lane, seq, state, received_at, ready_at, lease_id
    FROM changed WHERE state <> 'done'
    ON CONFLICT (id) DO UPDATE SET
        topic = excluded.topic, lane = excluded.lane, seq = excluded.seq, state = excluded.state,
        received_at = excluded.received_at, ready_at = excluded.ready_at, lease_id = excluded.lease_id;
    INSERT INTO entity_delivery (organization_id, business_key, received_at, id)
    SELECT organization_id, business_key, received_at, id FROM changed WHERE business_key IS NOT NULL
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE FUNCTION "forget_open_delivery"() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    DELETE FROM open_delivery WHERE id = ANY (ARRAY(SELECT g.id FROM gone g));
    RETURN NULL;
END
$$;

CREATE FUNCTION "forget_open_deliveries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE open_delivery, entity_delivery;
    RETURN NULL;
END
$$;

CREATE TRIGGER "delivery_opened" AFTER INSERT ON "delivery"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "keep_open_delivery"();
CREATE TRIGGER "delivery_changed" AFTER UPDATE ON "delivery"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "keep_open_delivery"();
CREATE TRIGGER "delivery_deleted" AFTER DELETE ON "delivery"
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "forget_open_delivery"();
CREATE TRIGGER "delivery_truncated" AFTER TRUNCATE ON "delivery"
    FOR EACH STATEMENT EXECUTE FUNCTION "forget_open_deliveries"();
