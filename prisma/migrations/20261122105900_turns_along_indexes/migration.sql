-- By hand.

-- As before, but for what the rest of a turn's transaction may do: it joins row by row along indexes. Without sequential
-- scans alone, a statement that was planned while a table was small went through the whole of an index for each turn, the
-- longer the table grew.
CREATE OR REPLACE FUNCTION "claim_deliveries"("at" timestamptz, "most" int, "only" uuid[], "except" uuid[])
RETURNS TABLE (
    "id" uuid, "organization_id" uuid, "source_id" uuid, "topic" text, "lane" text, "seq" bigint, "attributes" jsonb,
    "received_at" timestamptz, "attempts" int, "traceparent" text, "body" bytea, "blocked_until" timestamptz)
LANGUAGE plpgsql
SET enable_bitmapscan = off SET enable_sort = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    "locked" uuid[];
BEGIN
    PERFORM set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true);
    WITH ready AS MATERIALIZED (
        SELECT d.id, d.lane FROM open_delivery o JOIN delivery d ON d.id = o.id
        WHERE o.state = 'waiting' AND o.ready_at <= "at" AND d.state = 'waiting' AND d.ready_at <= "at"
            AND ("only" IS NULL OR o.id = ANY ("only")) AND o.organization_id <> ALL ("except")
        ORDER BY o.ready_at, o.seq
        LIMIT "most"
        FOR UPDATE OF d SKIP LOCKED
    )
    SELECT array_agg(r.id) INTO "locked" FROM ready r
    WHERE pg_try_advisory_xact_lock(hashtextextended(r.lane, 0));
    RETURN QUERY
        SELECT d.id, d.organization_id, d.source_id, d.topic, d.lane, d.seq, d.attributes, d.received_at, d.attempts,
            d.traceparent,
            CASE WHEN p.seq = p.front THEN (
                SELECT b.body FROM delivery_body b WHERE b.organization_id = d.organization_id AND b.id = d.id) END,
            CASE WHEN p.seq = p.front THEN NULL ELSE w.ready_at END
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
        JOIN delivery d ON d.id = p.id;
END
$$;
