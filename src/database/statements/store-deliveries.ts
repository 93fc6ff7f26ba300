import { instantArray, intArray, textArray, uuidArray } from '../binary-array';
import type { Database, HotStatement } from '../database';
import { rowsOf } from '../rows-of';

/** A delivery about to be stored. Text fields are free of NUL and lone surrogates, which no column can store. */
export interface NewDelivery {
  id: string;
  organizationId: string;
  sourceId: string;
  topic: string;
  dedupeKey: string;
  lane: string;
  attributes: Record<string, string>;
  body: Buffer;
  receivedAt: Date;
  /** W3C traceparent of the request; null: nothing is traced. */
  traceparent: string | null;
  /** Whether a sender sent it: that it was there before is then counted. Otherwise Ponte read it somewhere itself. */
  isSent?: boolean;
}

/** The identifier under which it is stored, and whether it was there before. */
interface Receipt {
  id: string;
  duplicate: boolean;
}

/** Milliseconds: shops wait about as long for their answer, and send again when they get an error. */
const ANSWER_WITHIN_MS = 5_000;

/** What {@link STORE} is given of each delivery. */
const ARRIVED = rowsOf(`
  id uuid, organization_id uuid, source_id uuid, topic text, dedupe_key text, lane text, attributes text,
  received_at timestamptz, traceparent text, body_from int, body_length int`);

/**
 * What has arrived is ready from now on by the database's clock: the receiver's says only when that was, for people.
 *
 * One multi-row insert for whatever arrived meanwhile, with the bodies of what was new. The bodies travel as ONE binary
 * parameter that is cut by offsets, and the statement goes past Prisma: both spare most of what an insert costs.
 *
 * Rows are numbered as they arrived and inserted in the order of their keys: two replicas to which a sender gives the same
 * webhooks in opposite orders would each wait for what the other has inserted.
 */
const STORE: HotStatement = {
  name: 'store-deliveries',
  answerWithinMs: ANSWER_WITHIN_MS,
  text: `
    with arrived as materialized (
      select *, nextval('delivery_seq_seq') as seq from ${ARRIVED} d
    ), stored as (
      insert into delivery (id, organization_id, source_id, topic, dedupe_key, lane, attributes, received_at, ready_at,
                            traceparent, seq)
      select a.id, a.organization_id, a.source_id, a.topic, a.dedupe_key, a.lane, a.attributes::jsonb, a.received_at,
             date_trunc('milliseconds', now()), a.traceparent, a.seq
      from arrived a
      order by a.source_id, a.dedupe_key collate "C", a.seq
      on conflict (source_id, dedupe_key) do nothing
      returning id
    ), bodies as (
      insert into delivery_body (organization_id, id, body)
      select a.organization_id, a.id, substring($12::bytea from a.body_from for a.body_length)
      from arrived a where a.id in (select id from stored)
    )
    select id::text as id from stored`,
};

/**
 * Finds what is repeated, and counts what senders sent again. A statement of its own: a row that won the conflict may be newer
 * than the insert's snapshot. Two batches write their rows in one order, so that neither waits for the other for ever.
 */
const FIND: HotStatement = {
  name: 'find-deliveries',
  answerWithinMs: ANSWER_WITHIN_MS,
  text: `
    with found as materialized (
      select k.position, d.id, k."sentAt"
      from jsonb_to_recordset($1::jsonb) as k(position int, "sourceId" uuid, "dedupeKey" text, "sentAt" timestamptz)
      join delivery d on d.source_id = k."sourceId" and d.dedupe_key = k."dedupeKey"
    ), counted as (
      insert into delivery_repeat as r (delivery_id, count, last_at)
      select id, count(*), max("sentAt") from found where "sentAt" is not null group by id order by id
      on conflict (delivery_id) do update
      set count = r.count + excluded.count, last_at = greatest(r.last_at, excluded.last_at)
    )
    select position, id::text as id from found`,
};

/**
 * Stores deliveries, each source's dedupe key once, and commits.
 * @returns for each delivery the identifier it is stored under, and whether it was there before
 */
export async function storeDeliveries(
  database: Database,
  deliveries: readonly NewDelivery[],
): Promise<Receipt[]> {
  const receipts = await storeOnce(database, deliveries);
  // What was there when it was stored, and was not when it was looked for: its key was given up in between, because what
  // it names is being fetched. The same again is a new delivery.
  const missed = receipts.flatMap((receipt, index) => (receipt ? [] : [index]));
  if (missed.length === 0) return receipts as Receipt[];
  const again = await storeDeliveries(
    database,
    missed.map((index) => deliveries[index] as NewDelivery),
  );
  for (const [position, index] of missed.entries()) receipts[index] = again[position];
  return receipts as Receipt[];
}

/** @returns undefined for one that was neither stored nor found */
async function storeOnce(
  database: Database,
  deliveries: readonly NewDelivery[],
): Promise<(Receipt | undefined)[]> {
  let end = 1;
  const lengths = deliveries.map(({ body }) => body.length);
  const stored = await database.query<{ id: string }>(STORE, [
    uuidArray(deliveries.map(({ id }) => id)),
    uuidArray(deliveries.map(({ organizationId }) => organizationId)),
    uuidArray(deliveries.map(({ sourceId }) => sourceId)),
    textArray(deliveries.map(({ topic }) => topic)),
    textArray(deliveries.map(({ dedupeKey }) => dedupeKey)),
    textArray(deliveries.map(({ lane }) => lane)),
    textArray(deliveries.map(({ attributes }) => JSON.stringify(attributes))),
    instantArray(deliveries.map(({ receivedAt }) => receivedAt)),
    textArray(deliveries.map(({ traceparent }) => traceparent)),
    intArray(lengths.map((length) => (end += length) - length)),
    intArray(lengths),
    Buffer.concat(deliveries.map(({ body }) => body)),
  ]);
  const fresh = new Set(stored.map((row) => row.id));
  if (fresh.size === deliveries.length) return deliveries.map(({ id }) => ({ id, duplicate: false }));
  const firsts = await findFirsts(database, deliveries, fresh);
  return deliveries.map(({ id }, position) => {
    if (fresh.has(id)) return { id, duplicate: false };
    const first = firsts.get(position);
    return first === undefined ? undefined : { id: first, duplicate: true };
  });
}

async function findFirsts(
  database: Database,
  deliveries: readonly NewDelivery[],
  fresh: ReadonlySet<string>,
): Promise<Map<number, string>> {
  const wanted = deliveries.flatMap(({ id, sourceId, dedupeKey, isSent, receivedAt }, position) =>
    fresh.has(id) ? [] : [{ position, sourceId, dedupeKey, ...(isSent && { sentAt: receivedAt }) }],
  );
  const found = await database.query<{ position: number; id: string }>(FIND, [JSON.stringify(wanted)]);
  return new Map(found.map(({ position, id }) => [position, id]));
}
