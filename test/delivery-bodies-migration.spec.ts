import { createHash } from 'node:crypto';
import { migrate } from '../src/database/migrations';
import { lowestIdAt } from '../src/kernel/identifier';
import { newId } from '../src/kernel/identifier';
import { migrateUpTo } from './support/earlier-migrations';
import { type EmptyDatabase, openEmptyDatabase } from './support/empty-database';
import { Random } from './support/random';

/** Bodies left the deliveries' rows for tables of months in this one. */
const MIGRATION = '20261122030944_delivery_bodies';
const ORGANIZATIONS = [newId(), newId()] as const;
const NO_MONTH = 'delivery_body_default';

/** A delivery as it stood before, and the table its body is to stand in. */
interface Before {
  id: string;
  organizationId: string;
  receivedAt: string;
  body: Buffer;
  purged: boolean;
  table: string;
}

/** Of no compressor's liking, longer than a page. */
function long(): Buffer {
  const random = new Random(7);
  return Buffer.from(Array.from({ length: 40_000 }, () => random.between(0, 255)));
}

/** An identifier given at an instant, which is not the first of its millisecond. */
function idAt(instant: string, place: number): string {
  return `${lowestIdAt(new Date(instant)).slice(0, 14)}7abc-8def-${String(place).padStart(12, '0')}`;
}

function delivery(receivedAt: string, table: string, fields: Partial<Before> = {}): Before {
  const place = (made += 1);
  const id = idAt(receivedAt, place);
  const body = Buffer.from(`{"id": ${place}, "note": "não é só ASCII"}`);
  return { ...{ id, receivedAt, body, table }, organizationId: ORGANIZATIONS[0], purged: false, ...fields };
}

let made = 0;
const DELIVERIES: readonly Before[] = [
  delivery('2026-09-01T00:00:00.000Z', 'delivery_body_2026_09', { id: lowestIdAt(new Date('2026-09-01Z')) }),
  delivery('2026-09-30T23:59:59.999Z', 'delivery_body_2026_09', { organizationId: ORGANIZATIONS[1] }),
  // Nothing of October: a month without deliveries gets no table.
  delivery('2026-11-01T00:00:00.000Z', 'delivery_body_2026_11'),
  delivery('2026-11-15T12:00:00.000Z', 'delivery_body_2026_11', { body: long() }),
  delivery('2026-11-15T12:00:00.000Z', 'delivery_body_2026_11', { body: Buffer.alloc(0) }),
  delivery('2026-11-15T12:00:00.001Z', 'delivery_body_2026_11', { body: Buffer.from([0, 255, 0, 92, 39]) }),
  delivery('2026-12-31T23:59:59.999Z', 'delivery_body_2026_12'),
  // Its identifier was given in a month of which nothing was received.
  delivery('2026-09-01T00:00:00.001Z', NO_MONTH, { id: idAt('2026-08-31T23:59:59.999Z', 77) }),
  // Its identifier is of another month than its receipt: the identifier decides.
  delivery('2026-11-30T12:00:00.000Z', 'delivery_body_2026_12', { id: idAt('2026-12-01T00:00:00.000Z', 78) }),
  // Identifiers that say nothing of time.
  delivery('2026-11-15T12:00:00.000Z', NO_MONTH, { id: 'c56a4180-65aa-42ec-a945-5fd21dec0538' }),
  delivery('2026-11-15T12:00:00.000Z', NO_MONTH, { id: '00000000-0000-4000-8000-000000000001' }),
  // What lost its body keeps to have none, and its month alone makes no table.
  delivery('2026-11-15T12:00:00.000Z', '', { purged: true, body: Buffer.alloc(0) }),
  delivery('2026-06-15T12:00:00.000Z', '', { purged: true, body: Buffer.alloc(0) }),
];

let database: EmptyDatabase;
let before: string[];

beforeAll(async () => {
  database = await openEmptyDatabase();
  before = await migrateUpTo(database.target, MIGRATION);
  await database.target.transaction(async (session) => {
    for (const row of DELIVERIES)
      await session.rows(
        `insert into delivery (id, organization_id, source_id, topic, dedupe_key, lane, attributes, body, received_at,
           ready_at, state, finished_at, body_purged_at)
         values ($1::uuid, $2, $3, 'orders/paid', $1::uuid::text, 'lane', '{}', $4, $5, $5, 'done', $5, $6)`,
        [
          ...[row.id, row.organizationId, newId(), row.body, row.receivedAt],
          row.purged ? '2026-11-20T00:00:00Z' : null,
        ],
      );
  });
  await migrate(database.target);
});
afterAll(() => database.close());

it('the migration was made on deliveries with bodies', () => {
  expect(before.length).toBeGreaterThan(0);
  expect(before.every((name) => name < MIGRATION)).toBe(true);
});

it('every body is where its identifier leads, byte for byte, and nothing else is', async () => {
  const found = await database.rows<{ id: string; organization: string; table: string; body: string }>(
    `select id::text as id, organization_id::text as organization, tableoid::regclass::text as "table",
       encode(sha256(body), 'hex') as body
     from delivery_body`,
  );
  const kept = DELIVERIES.filter(({ purged }) => !purged).map(({ id, organizationId, table, body }) => ({
    ...{ id, organization: organizationId, table },
    body: createHash('sha256').update(body).digest('hex'),
  }));
  const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);
  expect(found.sort(byId)).toEqual(kept.sort(byId));
});

it('a body is found by its key in its own table', async () => {
  for (const { id, organizationId, table } of DELIVERIES.filter(({ purged }) => !purged)) {
    const rows = await database.rows<{ 'QUERY PLAN': string }>(
      `explain select body from delivery_body where organization_id = '${organizationId}' and id = '${id}'`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(new RegExp(`on ${table}\\b`));
  }
});

it('the months are those of which something was kept, and each goes from its first instant to the next', async () => {
  const months = await database.rows<{ table: string; bounds: string }>(
    `select c.relname::text as "table", pg_get_expr(c.relpartbound, c.oid) as bounds
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'delivery_body'::regclass and c.relname <> '${NO_MONTH}' order by 1`,
  );
  const bounds = (from: string, to: string): string =>
    `FOR VALUES FROM ('${lowestIdAt(new Date(from))}') TO ('${lowestIdAt(new Date(to))}')`;
  expect(months).toEqual([
    { table: 'delivery_body_2026_09', bounds: bounds('2026-09-01Z', '2026-10-01Z') },
    { table: 'delivery_body_2026_11', bounds: bounds('2026-11-01Z', '2026-12-01Z') },
    { table: 'delivery_body_2026_12', bounds: bounds('2026-12-01Z', '2027-01-01Z') },
  ]);
});

it('the deliveries stay, and those that lost their body still say so', async () => {
  const [counted] = await database.rows<{ all: number; purged: number }>(
    `select count(*)::int as "all", count(body_purged_at)::int as purged from delivery`,
  );
  expect(counted).toEqual({ all: DELIVERIES.length, purged: 2 });
});
