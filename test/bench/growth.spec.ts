import { copyStatement } from '../../bench/growth/grow';
import { OPERATIONS } from '../../bench/growth/operations';
import { openTestDatabase } from '../support/database';

const SHARED = '0198c2a4-0000-7000-8000-000000000001';
const ROW = '0198c2a4-7a03-7d21-8c44-5e1f9a6b3c22';
const COLUMNS = [
  { name: 'id', type: 'uuid' },
  { name: 'organization_id', type: 'uuid' },
  { name: 'run_id', type: 'uuid' },
  { name: 'seq', type: 'bigint' },
  { name: 'value_minor', type: 'bigint' },
  { name: 'key', type: 'text' },
  { name: 'subject', type: 'text' },
  { name: 'document', type: 'text' },
  { name: 'at', type: 'timestamp with time zone' },
];
const TYPES = `id uuid, organization_id uuid, run_id uuid, seq bigint, value_minor bigint, key text, subject text,
  document text, at timestamptz`;

interface Copied extends Record<string, string | null> {
  id: string;
  at: string;
  key: string;
}

async function copyTwice(): Promise<Copied[]> {
  const database = await openTestDatabase();
  try {
    return await database.transaction(async (tx) => {
      await tx.$executeRawUnsafe('create schema pattern');
      await tx.$executeRawUnsafe(`create table pattern.thing (${TYPES})`);
      await tx.$executeRawUnsafe(`create table public.thing (${TYPES})`);
      await tx.$executeRawUnsafe(`insert into pattern.thing values ('${ROW}', '${SHARED}', '79b7f54d-b85f-5d60-b2a3-ae8cfa0f5ff6',
        7, 100, 'shopify/order/8000000000042', 'receipt/${ROW}', '10000000523', '2026-11-20T00:00:00Z')`);
      const copying = { copies: 2, stride: 10n, shared: [SHARED] };
      const statement = copyStatement('thing', COLUMNS, copying).replace('$1::int', 'N');
      for (const copy of [0, 1]) await tx.$executeRawUnsafe(statement.replace('N', String(copy)));
      return tx.$queryRawUnsafe<Copied[]>(
        `select id::text, organization_id::text, run_id::text, seq::text, value_minor::text, key, subject, document,
           to_char(at at time zone 'UTC', 'YYYY-MM-DD') as at from public.thing order by id`,
      );
    });
  } finally {
    await database.close();
  }
}

describe('a copy of what real orders left behind', () => {
  it('has identifiers, numbers, keys and times of its own, older first, and shares what it refers to', async () => {
    const [older, newer] = await copyTwice();
    expect(newer).toMatchObject({ id: ROW, at: '2026-11-20', subject: `receipt/${ROW}`, seq: '17' });
    expect(older).toMatchObject({ seq: '7', at: '2026-11-10', subject: `receipt/${older?.id}` });
    expect(older!.id < newer!.id).toBe(true);
    expect(older?.['run_id']).not.toBe(newer?.['run_id']);
    expect([older?.key, newer?.key]).toEqual(['shopify/order/c000000000042', 'shopify/order/c000000100042']);
    expect([older?.['document'], newer?.['document']]).toEqual(['10000000523', '10000100523']);
    for (const copy of [older, newer])
      expect(copy).toMatchObject({ organization_id: SHARED, value_minor: '100' });
  });
});

describe('the reads that are measured on large tables', () => {
  it('have names of their own, and say why they are not held to the goal where they are not', () => {
    expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(OPERATIONS.length);
    for (const { bounded, why } of OPERATIONS) expect(bounded).toBe(why === undefined);
  });
});
