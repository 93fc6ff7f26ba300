import { openTestDatabase } from '../../test/support/database';
import { planOf, rowsTouched, tablesScanned } from '../../test/support/plans';
import type { Prisma } from '../database/client/client';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { type Batch, batchesFrom, changesOf } from './feed.repository';

/** Of the two organizations together; a hundredth is the quiet one's. */
const BATCHES = 6_000;
const CHANGES = 4;
const PAGE = 20;
const REACH = { changes: PAGE * CHANGES, batches: PAGE };
/** Each row of a page, in each step of the plan, with the person whom it names, and some. */
const FEW = 14 * PAGE;

const [busy, quiet] = [newId(), newId()];
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.prisma.$executeRaw`
    insert into feed_batch (organization_id, position, id, key, changes, at)
    select case when n % 100 = 0 then ${quiet}::uuid else ${busy}::uuid end, n, 3 * n, gen_random_uuid(), ${CHANGES}, now()
    from generate_series(1, ${BATCHES}::int) n`;
  await database.prisma.organization.create({
    data: { id: busy, slug: 'busy', name: 'Busy', timeZone: 'UTC', currency: 'BRL' },
  });
  await database.prisma.$executeRaw`
    insert into stakeholder (id, organization_id, kind, name)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, ${busy}::uuid, 'customer', 'Customer ' || n
    from generate_series(1, ${BATCHES}::int) n`;
  await database.prisma.$executeRaw`
    insert into feed_stored_change (batch_id, number, type, subject, people_by_identifier, data)
    select 3 * n, m, case when m = 1 then 'receipt.registered' else 'credit-schedule.created' end, 'receipt/' || n, true,
      json_build_object('stakeholder',
        json_build_object('id', '00000000-0000-4000-8000-' || lpad(n::text, 12, '0')))
    from generate_series(1, ${BATCHES}::int) n, generate_series(1, ${CHANGES}::int) m`;
});
afterAll(() => database.close());

async function expectFew(statement: Prisma.Sql): Promise<void> {
  const steps = await planOf(database.prisma, statement);
  expect(tablesScanned(steps)).toEqual([]);
  expect(rowsTouched(steps)).toBeLessThan(FEW);
}

/** The batches that a page begins with. */
function batches(organizationId: string, position: number): Promise<Batch[]> {
  return database.prisma.$queryRaw<Batch[]>(
    batchesFrom(organizationId, { position: BigInt(position), number: 0 }, REACH),
  );
}

describe.each([
  ['no statistics', () => Promise.resolve(0)],
  ['fresh statistics', () => database.prisma.$executeRaw`analyze`],
])('a page of a long feed, with %s,', (_name, prepare) => {
  beforeAll(prepare);

  it.each([
    ['of a busy organization', 'busy', 1],
    ['of a busy organization, late', 'busy', BATCHES - 499],
    ['of an organization with few changes among those of others', 'quiet', 1],
  ] as const)('%s, looks at its own batches and their changes alone', async (_which, who, position) => {
    const organizationId = who === 'busy' ? busy : quiet;
    await expectFew(batchesFrom(organizationId, { position: BigInt(position), number: 0 }, REACH));
    const found = await batches(organizationId, position);
    const spans = found.map((batch) => ({ batch, after: 0, to: batch.changes }));
    await expectFew(changesOf(spans.slice(0, PAGE / CHANGES), PAGE, undefined));
    await expectFew(changesOf(spans, PAGE, ['receipt.registered']));
    expect(found).toHaveLength(PAGE + 1);
    const expected = who === 'busy' ? [position, position + 1] : [100, 200];
    expect(found.slice(0, 2).map((batch) => Number(batch.position))).toEqual(expected);
  });

  it('names no more batches than it has changes of, and one', async () => {
    const reach = { changes: 2 * CHANGES, batches: PAGE };
    const from = (number: number): Prisma.Sql => batchesFrom(busy, { position: 1n, number }, reach);
    const positions = async (number: number): Promise<number[]> =>
      (await database.prisma.$queryRaw<Batch[]>(from(number))).map(({ position }) => Number(position));
    expect(await positions(0)).toEqual([1, 2, 3]);
    expect(await positions(1)).toEqual([1, 2, 3, 4]);
    expect(await positions(CHANGES)).toEqual([1, 2, 3, 4]);
  });

  it('of one type, ends with the batch in which it is full', async () => {
    const found = await batches(busy, 1);
    const spans = found.map((batch) => ({ batch, after: 0, to: batch.changes }));
    const steps = await planOf(database.prisma, changesOf(spans, 3, ['credit-schedule.created']));
    const read = steps.find((step) => step['Index Name'] === 'feed_change_pkey');
    expect(read?.['Actual Loops']).toBeLessThan(PAGE / 2);
  });
});
