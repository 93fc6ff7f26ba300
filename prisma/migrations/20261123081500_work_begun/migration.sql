-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "interrupted" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "begun_batch" (
    "id" UUID NOT NULL,
    "delivery_ids" UUID[],
    "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "begun_batch_pkey" PRIMARY KEY ("id")
);

-- ── What Prisma's schema cannot say ──────────────────────────────────────────────────────────────────────

-- One row for each batch that is being worked on: read as a whole for each batch, so what is gone must go.
ALTER TABLE "begun_batch" SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);

-- What `claim_deliveries` does, which the version before goes on calling, but for this: what is ready is decided by the
-- clock of the database, so that it does not matter which process received and which one works; the bodies of a claim
-- have no more than "most_bytes" together, unless the first alone has more; large ones, and what stands behind them in
-- their lanes, come after the others; and deliveries of some sources are left alone.
-- What is locked and does not fit is as ready as before when the transaction ends.
CREATE FUNCTION "claim_ready_deliveries"(
    "most" int, "most_bytes" bigint, "only" uuid[], "except" uuid[], "except_sources" uuid[])
RETURNS TABLE (
    "id" uuid, "organization_id" uuid, "source_id" uuid, "topic" text, "lane" text, "seq" bigint, "attributes" jsonb,
    "received_at" timestamptz, "attempts" int, "interrupted" int, "traceparent" text, "body" bytea,
    "blocked_until" timestamptz)
LANGUAGE plpgsql
SET enable_bitmapscan = off SET enable_sort = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    "at" timestamptz := clock_timestamp();
    "locked" uuid[];
BEGIN
    PERFORM set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true);
    WITH ready AS MATERIALIZED (
        SELECT d.id, d.lane FROM open_delivery o JOIN delivery d ON d.id = o.id
        WHERE o.state = 'waiting' AND o.ready_at <= "at" AND d.state = 'waiting' AND d.ready_at <= "at"
            AND ("only" IS NULL OR o.id = ANY ("only")) AND o.organization_id <> ALL ("except")
            AND o.source_id <> ALL ("except_sources")
        ORDER BY o.ready_at, o.seq
        LIMIT "most"
        FOR UPDATE OF d SKIP LOCKED
    )
    SELECT array_agg(r.id) INTO "locked" FROM ready r
    WHERE pg_try_advisory_xact_lock(hashtextextended(r.lane, 0));
    RETURN QUERY
        SELECT f.id, f.organization_id, f.source_id, f.topic, f.lane, f.seq, f.attributes, f.received_at, f.attempts,
            f.interrupted, f.traceparent, f.body, f.blocked_until
        FROM (
            -- Nothing passes what stands before it in its lane and does not fit.
            SELECT c.*, bool_and(c.bytes_so_far <= "most_bytes" OR c.bytes_so_far = c.bytes)
                OVER (PARTITION BY c.lane ORDER BY c.seq ROWS UNBOUNDED PRECEDING) AS fits
            FROM (
                -- A lane keeps its order, so that what comes first of all is the front of a lane, and fits.
                SELECT e.*, sum(e.bytes) OVER (ORDER BY e.late, e.seq ROWS UNBOUNDED PRECEDING) AS bytes_so_far
                FROM (
                    SELECT d.*, b.body, CASE WHEN p.seq = p.front THEN NULL ELSE w.ready_at END AS blocked_until, b.bytes,
                        bool_or(b.bytes > 65536) OVER (PARTITION BY d.lane ORDER BY d.seq ROWS UNBOUNDED PRECEDING) AS late
                    FROM (
                        SELECT m.lane, array_agg(m.id ORDER BY m.seq) AS ids, array_agg(m.seq ORDER BY m.seq) AS seqs
                        FROM unnest("locked") AS l(id) JOIN delivery m ON m.id = l.id
                        GROUP BY m.lane
                    ) mine
                    CROSS JOIN LATERAL (
                        SELECT array_agg(f.seq ORDER BY f.seq) AS seqs, (array_agg(f.ready_at ORDER BY f.seq))[1] AS ready_at
                        FROM (
                            SELECT o.seq, o.ready_at FROM open_delivery o
                            WHERE o.lane = mine.lane AND o.state = 'waiting'
                            ORDER BY o.seq LIMIT cardinality(mine.ids)
                        ) f
                    ) w
                    CROSS JOIN LATERAL unnest(mine.ids, mine.seqs, w.seqs) AS p(id, seq, front)
                    JOIN delivery d ON d.id = p.id
                    CROSS JOIN LATERAL (
                        SELECT (
                            SELECT b.body FROM delivery_body b
                            WHERE p.seq = p.front AND b.organization_id = d.organization_id AND b.id = d.id
                        ) AS body
                        OFFSET 0
                    ) r
                    CROSS JOIN LATERAL (SELECT r.body, coalesce(octet_length(r.body), 0) AS bytes OFFSET 0) b
                ) e
            ) c
        ) f
        WHERE f.fits;
END
$$;
