import type { DemoOrder } from '../../scripts/demo/shop-orders';
import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';
import { putInForce, settlingRule } from '../support/settling-rule';
import { daysPass } from '../support/time-passes';
import { until } from '../support/until';

interface Deferred {
  id: string;
  key: string;
  state: string;
  notBefore: string | null;
  value: string | null;
  reason: string | null;
}

interface Shown {
  runs: { steps: { id: string; state: string; until?: string }[] }[];
  effects: { key: string; state: string }[];
  deferred: Deferred[];
}

const TODAY = CalendarDate.fromInstant(new Date(), 'America/Sao_Paulo');
/** Far enough that no midnight comes between. */
const FIRST = TODAY.addDays(10);

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('a payment that is settled in parts, %s', (_where, open) => {
  let harness: OrderHarness;
  let orders = 0;
  let order: DemoOrder;
  let account = 'main';

  beforeAll(async () => {
    harness = await open();
    const { id } = await harness.books.prisma.account.findFirstOrThrow({
      where: { name: 'Conta principal' },
    });
    account = id;
  });
  afterAll(() => harness.stop());

  beforeEach(async () => {
    orders += 1;
    order = {
      ...{ id: 8_900_000_000_000 + orders, number: orders, total: '100.00', name: 'Lia Campos' },
      ...{ document: cpfNumber(89_000 + orders), email: `lia${orders}@example.com`, instalments: 3 },
    };
    await putInForce(harness.service, [settlingRule(FIRST.toString()), 1]);
  });

  afterEach(async () => {
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
    // What a test leaves deferred is no matter of the next.
    await harness.service.database.prisma.deferredEffect.deleteMany();
  });

  async function balance(): Promise<bigint> {
    return (await readBalances(harness.books.prisma, [account])).get(account) ?? 0n;
  }

  function worker(): DeferredWorker {
    return harness.service.part(DeferredWorker);
  }

  /** Applies all that is due, whoever does it. */
  async function applied(count: number): Promise<void> {
    const isDone = async () =>
      (await harness.service.database.prisma.deferredEffect.count({ where: { state: 'applied' } })) >= count;
    await until(async () => {
      await worker().run();
      return isDone();
    });
  }

  async function receipts() {
    const found = await harness.books.prisma.entry.findMany({
      where: { kind: 'receipt', identifier: { startsWith: `shopify/order/${order.id}/` } },
      orderBy: [{ date: 'asc' }, { id: 'asc' }],
    });
    return found.map(({ date, amountMinor }) => [date.toISOString().slice(0, 10), amountMinor]);
  }

  async function lastShown(): Promise<Shown> {
    const { id } = await harness.lastDelivery();
    return (await harness.service.admin(`deliveries/${id}`)) as Shown;
  }

  async function deferred(state = 'waiting'): Promise<Deferred[]> {
    return ((await harness.service.admin(`deferred-effects?state=${state}`)) as { items: Deferred[] }).items;
  }

  const days = [FIRST, FIRST.addMonths(1), FIRST.addMonths(2)].map(String);

  it('books each part on its day, and none before', async () => {
    const before = await balance();
    await harness.shopify(order);
    await worker().run();
    expect(await balance()).toBe(before);
    expect((await deferred()).map(({ notBefore, value }) => [notBefore, value]).toSorted()).toEqual([
      [days[0], '33.34'],
      [days[1], '33.33'],
      [days[2], '33.33'],
    ]);
    await daysPass(harness.service.database, 11);
    await applied(1);
    expect(await receipts()).toEqual([[days[0], 3334n]]);
    await daysPass(harness.service.database, 70);
    await applied(3);
    expect(await receipts()).toEqual([
      [days[0], 3334n],
      [days[1], 3333n],
      [days[2], 3333n],
    ]);
    expect((await balance()) - before).toBe(10_000n);
    expect(await harness.attention(order)).toEqual([]);
  });

  it('shows with the delivery what is deferred, and until when', async () => {
    await harness.shopify(order);
    const { runs, deferred: parts, effects } = await lastShown();
    expect(runs[0]?.steps.at(-1)).toMatchObject({ id: 'settle', state: 'deferred', until: days[0] });
    expect(parts.map(({ state, notBefore }) => [state, notBefore])).toEqual(
      days.map((day) => ['waiting', day]),
    );
    expect(effects.map(({ state }) => state)).toEqual(['applied', 'applied']);
  });

  it('neither doubles nor advances a part when the order is delivered again', async () => {
    const before = await balance();
    await harness.shopify(order);
    await harness.shopify(order, { note: 'again' });
    expect(await deferred()).toHaveLength(3);
    await daysPass(harness.service.database, 11);
    // Its day has come for the order that is delivered again, too: the worker alone applies it.
    await harness.shopify(order, { note: 'and again' });
    await applied(1);
    await harness.shopify(order, { note: 'once more' });
    await daysPass(harness.service.database, 70);
    await applied(3);
    await harness.shopify(order, { note: 'in the end' });
    expect((await balance()) - before).toBe(10_000n);
    expect(await receipts()).toHaveLength(3);
    expect(await harness.attention(order)).toEqual([]);
    const { runs } = await lastShown();
    expect(runs[0]?.steps.at(-1)).toMatchObject({ id: 'settle', state: 'existing' });
  });

  it('books parts of past days at once', async () => {
    const before = await balance();
    await putInForce(harness.service, [settlingRule(TODAY.addMonths(-1).toString()), 1]);
    await harness.shopify(order);
    expect((await balance()) - before).toBe(6_667n);
    expect(await deferred()).toHaveLength(1);
  });

  it('leaves a part that is asked for otherwise as it is, and tells a person', async () => {
    await harness.shopify(order);
    const paid = { total_price: '90.00', current_total_price: '90.00', transactions: [] };
    await harness.shopify(order, paid);
    expect((await deferred()).map(({ value }) => value).toSorted()).toEqual(['33.33', '33.33', '33.34']);
    const codes = (await harness.attention(order)).map(({ code }) => code);
    expect(codes.filter((code) => code === 'amount-differs').length).toBeGreaterThanOrEqual(3);
  });

  it('gives a refused part to a person, who can try it again', async () => {
    const before = await balance();
    await harness.shopify(order);
    const [first] = (await deferred()).filter(({ notBefore }) => notBefore === days[0]);
    await harness.service.database.prisma.$executeRaw`
      update deferred_effect set effect = jsonb_set(effect, '{input,account}', '"gone"') where id = ${first?.id}::uuid`;
    await daysPass(harness.service.database, 11);
    await until(async () => {
      await worker().run();
      return (await deferred('refused')).length > 0;
    });
    expect(await harness.attention(order)).toMatchObject([{ code: 'deferred-refused', value: '33.34' }]);
    const [refused] = await deferred('refused');
    expect(refused?.reason).toContain('account');
    await harness.service.database.prisma.$executeRaw`
      update deferred_effect set effect = jsonb_set(effect, '{input,account}', to_jsonb(${account}::text))
      where id = ${first?.id}::uuid`;
    await harness.shopify(order, { note: 'does not try it again' });
    expect(await deferred('refused')).toHaveLength(1);
    const retried = await harness.service.operate('post', `deferred-effects/${first?.id}/retry`, {
      reason: 'the account is there now',
    });
    expect(retried.status).toBe(204);
    await applied(1);
    expect((await balance()) - before).toBe(3_334n);
  });

  it('never books a part that a person gave up, and says so when it is asked for again', async () => {
    const before = await balance();
    await harness.shopify(order);
    for (const { id } of await deferred()) {
      const reply = await harness.service.operate('post', `deferred-effects/${id}/cancel`, {
        reason: 'the sale was taken back',
      });
      expect(reply.status).toBe(204);
    }
    await daysPass(harness.service.database, 100);
    await harness.shopify(order, { note: 'again' });
    await worker().run();
    expect(await balance()).toBe(before);
    expect((await deferred('cancelled')).map(({ reason }) => reason)).toEqual(
      Array(3).fill('the sale was taken back'),
    );
    const { deferred: parts } = await lastShown();
    expect(parts.map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    const again = await harness.service.operate('post', `deferred-effects/${parts[0]?.id}/cancel`, {
      reason: 'twice',
    });
    expect(again.status).toBe(409);
  });
});
