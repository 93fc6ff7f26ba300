import fc from 'fast-check';
import { Company } from '../../test/support/company';
import { openTestDatabase } from '../../test/support/database';
import type { Database } from '../database/database';
import { type MoneyFacts, togetherWith } from '../events/money-facts';
import { newId } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';
import { storeMoneyFacts } from './money-facts.repository';

let database: Database;
let organization: Organization;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ organization } = await Company.found(database));
});
afterAll(() => database.close());

/** A payment has one amount, whichever messages name it. */
const amounts = fc
  .subarray(['a', 'b', 'c'])
  .map((keys) => Object.fromEntries(keys.map((key) => [key, String(key.charCodeAt(0))])));

/** So it is with its gateway, which not every message names that names the payment. */
const gateways = fc
  .subarray(['a', 'b', 'c'])
  .map((keys) => Object.fromEntries(keys.map((key) => [key, `gateway ${key}`])));

/** What messages about one order say, each at an instant of its own. */
const messages = fc.uniqueArray(fc.nat(1_000), { minLength: 1, maxLength: 6 }).chain((seconds) =>
  fc.tuple(
    ...seconds.map((second) =>
      fc.record<MoneyFacts>({
        key: fc.constant('shop/order/1'),
        kind: fc.constant('order' as const),
        number: fc.constantFrom(null, '1001'),
        orderKey: fc.constantFrom(null, 'shop/order/9'),
        madeAt: fc.constant(new Date('2026-10-05T12:00:00Z')),
        asOf: fc.constant(new Date(Date.UTC(2026, 9, 5) + second * 1_000)),
        currency: fc.constant('BRL'),
        total: fc.nat(100_000).map(String),
        payments: amounts,
        refunds: amounts,
        fees: amounts,
        gateways,
        instalments: fc.integer({ min: 1, max: 12 }),
        test: fc.boolean(),
        cancelled: fc.boolean(),
      }),
    ),
  ),
);

async function stored(sourceId: string): Promise<object[]> {
  const rows = await database.prisma.moneyFacts.findMany({ where: { sourceId } });
  return rows.map(({ sourceId: _source, organizationId: _organization, totalMinor, ...row }) => ({
    ...row,
    total: totalMinor.toString(),
  }));
}

it('what is stored is what the newest message says with the payments of all, in whatever order and portions they come', async () => {
  await fc.assert(
    fc.asyncProperty(messages, fc.infiniteStream(fc.boolean()), async (all, splits) => {
      const sourceId = newId();
      const portions: MoneyFacts[][] = [[]];
      for (const facts of all) {
        if (splits.next().value) portions.push([]);
        portions.at(-1)?.push(facts);
      }
      for (const portion of portions)
        await database.transaction((tx) =>
          storeMoneyFacts(
            tx,
            portion.map((facts) => ({ organization, sourceId, facts })),
          ),
        );
      const oldestFirst = [...all].sort((one, other) => one.asOf.getTime() - other.asOf.getTime());
      expect(await stored(sourceId)).toEqual([oldestFirst.reduce(togetherWith)]);
    }),
    { numRuns: 60 },
  );
});

it.each(['the older first', 'the newer first'])(
  'of two amounts and gateways of a payment the newer one stays, %s',
  async (order) => {
    const sourceId = newId();
    const said = ['100', '200'].map((amount, second): MoneyFacts => ({
      ...{
        key: 'shop/order/1',
        kind: 'order',
        madeAt: new Date(0),
        asOf: new Date(second * 1_000),
        currency: 'BRL',
      },
      ...{ total: amount, payments: { a: amount }, refunds: { a: amount }, fees: { a: amount } },
      gateways: { a: `gateway ${amount}` },
      ...{ instalments: 1, test: false, cancelled: false, orderKey: null, number: `no. ${amount}` },
    }));
    for (const facts of order === 'the older first' ? said : said.toReversed())
      await database.transaction((tx) => storeMoneyFacts(tx, [{ organization, sourceId, facts }]));
    expect(await stored(sourceId)).toEqual([said[1]]);
  },
);

it.each([
  ['the first instant that is read', '1970-01-01T00:00:00.000Z'],
  ['a day after the year 9999', '+010000-01-01T11:59:59.999Z'],
])('%s and the largest sums are stored as they are', async (_what, instant) => {
  const sourceId = newId();
  const at = new Date(instant);
  const largest = '99999999999999';
  const facts: MoneyFacts = {
    ...{ key: 'shop/order/1', kind: 'order', madeAt: at, asOf: at, currency: 'BRL', total: `-${largest}` },
    ...{ payments: { a: largest }, refunds: {}, fees: {}, gateways: {} },
    ...{ instalments: 1, test: false, cancelled: true, number: null, orderKey: null },
  };
  await database.transaction((tx) => storeMoneyFacts(tx, [{ organization, sourceId, facts }]));
  const [row] = await database.prisma.$queryRaw<object[]>`
    select (extract(epoch from made_at) * 1000)::bigint::text as "madeAt", as_of = made_at as "isSame", total_minor::text as total,
      payments ->> 'a' as a
    from money_facts where source_id = ${sourceId}::uuid`;
  expect(row).toEqual({ madeAt: String(at.getTime()), isSame: true, total: facts.total, a: largest });
});

/** What an order says that names these gateways, told a second later than what was told before. */
let second = 0;
function order(
  named: MoneyFacts['gateways'],
  asOf = new Date(Date.UTC(2026, 9, 5) + ++second * 1_000),
): MoneyFacts {
  return {
    ...{ key: 'shop/order/1', kind: 'order', madeAt: new Date(0), asOf, currency: 'BRL', total: '100' },
    ...{ payments: { a: '100' }, refunds: {}, fees: {}, gateways: named, instalments: 1 },
    ...{ test: false, cancelled: false, number: null, orderKey: null },
  };
}

const store = (sourceId: string, facts: MoneyFacts) =>
  database.transaction((tx) => storeMoneyFacts(tx, [{ organization, sourceId, facts }]));

/** Changes whenever the row is written. */
async function writtenBy(sourceId: string): Promise<string | undefined> {
  const [row] = await database.prisma.$queryRaw<{ by: string }[]>`
    select xmin::text as by from money_facts where source_id = ${sourceId}::uuid`;
  return row?.by;
}

it.each([
  ['of another message of the same time', 0],
  ['of an older message', -1_000],
])('a gateway alone that is new is written, %s', async (_which, laterMs) => {
  const sourceId = newId();
  const reported = order({ b: 'stripe' });
  await store(sourceId, reported);
  await store(sourceId, order({ a: 'pagbank', b: 'Stripe' }, new Date(reported.asOf.getTime() + laterMs)));
  const b = laterMs < 0 ? 'stripe' : 'Stripe';
  expect(await stored(sourceId)).toEqual([{ ...reported, gateways: { a: 'pagbank', b } }]);
});

it('a row of a version without gateways takes the first that is named, and is not written where none is', async () => {
  const sourceId = newId();
  const reported = order({});
  await store(sourceId, reported);
  await database.prisma
    .$executeRaw`update money_facts set gateways = null where source_id = ${sourceId}::uuid`;
  const before = await writtenBy(sourceId);
  await store(sourceId, reported);
  expect([await writtenBy(sourceId), await stored(sourceId)]).toEqual([
    before,
    [{ ...reported, gateways: null }],
  ]);
  const older = new Date(reported.asOf.getTime() - 1_000);
  await store(sourceId, order({ a: 'pagbank' }, older));
  expect(await stored(sourceId)).toEqual([{ ...reported, gateways: { a: 'pagbank' } }]);
});

it.each([
  ['of another message of the same time', 0, '1002'],
  ['of an older message', -1_000, '1001'],
  ['of a newer message', 1_000, '1002'],
])(
  'a number is kept where a message has none, and is the newest one, %s',
  async (_which, laterMs, expected) => {
    const sourceId = newId();
    const reported = order({});
    const asOf = new Date(reported.asOf.getTime() + laterMs);
    await store(sourceId, reported);
    await store(sourceId, { ...reported, number: '1001' });
    await store(sourceId, reported);
    expect(await stored(sourceId)).toEqual([{ ...reported, number: '1001' }]);
    await store(sourceId, { ...order({}, asOf), number: '1002' });
    const [row] = await stored(sourceId);
    expect(row).toMatchObject({ number: expected });
  },
);

it('a number that an older message brings is kept where there is none', async () => {
  const sourceId = newId();
  const reported = order({ a: 'pagbank' });
  await store(sourceId, reported);
  const asOf = new Date(reported.asOf.getTime() - 1_000);
  await store(sourceId, { ...reported, asOf, number: '1001' });
  expect(await stored(sourceId)).toEqual([{ ...reported, number: '1001' }]);
});

it('a message that says again what is stored writes nothing', async () => {
  const sourceId = newId();
  const reported = order({ a: 'pagbank' });
  await store(sourceId, reported);
  const before = await writtenBy(sourceId);
  await store(sourceId, reported);
  expect(await writtenBy(sourceId)).toBe(before);
});

it('nothing is written for messages that say nothing of money', async () => {
  await database.transaction((tx) => storeMoneyFacts(tx, []));
  expect(await database.prisma.moneyFacts.count({ where: { key: 'none' } })).toBe(0);
});
