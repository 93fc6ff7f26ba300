import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

  describe('of which the acquirer says another day', () => {
    const key = () => `standard/order/D-${orders}`;
    const asked = async () => {
      const { items } = (await harness.service.admin('attention')) as { items: { businessKey: string }[] };
      return items.filter(({ businessKey }) => businessKey === key());
    };
    /** @param updatedAt when the payment was so; undefined: the shop does not say */
    const told = (
      on: CalendarDate,
      updatedAt?: string,
      { fee, gateway = 'g' }: { fee?: string; gateway?: string } = {},
    ) =>
      harness.standard('order.paid', {
        ...{ id: `D-${orders}`, total: '100.00', createdAt: '2025-06-30T11:00:00Z', updatedAt },
        customer: { name: 'Lia Campos', document: order.document },
        payments: [
          {
            ...{ id: 'p1', gateway, method: 'credit_card', value: '100.00' },
            paidAt: '2025-06-30T11:00:00Z',
            settlements: [{ number: 1, value: '100.00', fee, on: on.toString() }],
          },
        ],
      });
    const waiting = async () => (await deferred()).map(({ notBefore, state }) => [notBefore, state]);

    beforeEach(() => {
      const rule = settlingRule(FIRST.toString()).replace(/plan: .*/, 'plan: ${order.payment.settlements}');
      return putInForce(harness.service, [rule, 1]);
    });

    it('waits for the day that was said last, in whatever order it is said, and nobody is asked', async () => {
      await told(FIRST, '2025-06-30T12:00:00Z');
      await told(FIRST.addDays(20), '2025-07-02T12:00:00Z');
      expect(await waiting()).toEqual([[String(FIRST.addDays(20)), 'waiting']]);
      await told(FIRST.addDays(5), '2025-07-01T12:00:00Z');
      expect(await waiting()).toEqual([[String(FIRST.addDays(20)), 'waiting']]);
      // A later message with the same day counts as the last one, too.
      await told(FIRST.addDays(20), '2025-07-04T12:00:00Z');
      await told(FIRST.addDays(7), '2025-07-03T12:00:00Z');
      expect(await waiting()).toEqual([[String(FIRST.addDays(20)), 'waiting']]);
      expect(await asked()).toEqual([]);
      await daysPass(harness.service.database, 31);
      await applied(1);
      // It was booked as was said last: who says so again asks nobody.
      await told(FIRST.addDays(20), '2025-07-05T12:00:00Z');
      expect(await asked()).toEqual([]);
    });

    it('is booked where that day has come', async () => {
      const before = await balance();
      await told(FIRST, '2025-06-30T12:00:00Z');
      await told(TODAY.addDays(-1), '2025-07-02T12:00:00Z');
      await applied(1);
      expect((await balance()) - before).toBe(10_000n);
      const [receipt] = await harness.books.prisma.entry.findMany({
        where: { kind: 'receipt', identifier: { startsWith: key() } },
      });
      expect(receipt?.date.toISOString().slice(0, 10)).toBe(String(TODAY.addDays(-1)));
      // A message that was sent before, and comes after, says nothing of the day any more.
      await told(FIRST, '2025-07-01T12:00:00Z');
      expect(await asked()).toEqual([]);
      await told(FIRST, '2025-07-03T12:00:00Z');
      expect(await asked()).toMatchObject([{ code: 'content-differs' }]);
    });

    it('is booked with its fee on the day that it is paid, where that is an earlier one', async () => {
      const rule = settlingRule(FIRST.toString()).replace(/plan: .*/, 'plan: ${order.payment.settlements}');
      const others = ['payment-fee', 'payment-settled'].map((name) =>
        readFileSync(join(__dirname, `../../config/profiles/accrual/${name}.yaml`), 'utf8'),
      );
      await putInForce(harness.service, [rule, 1], ...others.map((document) => [document, 1] as const));
      const before = await balance();
      await told(FIRST, undefined, { fee: '4.00' });
      await harness.standard('payment.settled', {
        ...{ id: `S-${orders}`, orderId: `D-${orders}`, paymentId: 'p1', gateway: 'g', number: 1, of: 1 },
        ...{ value: '100.00', fee: '4.00', settledAt: `${TODAY.addDays(-1).toString()}T12:00:00-03:00` },
      });
      expect((await balance()) - before).toBe(9_600n);
      await daysPass(harness.service.database, 11);
      await applied(2);
      expect((await balance()) - before).toBe(9_600n);
      expect(await asked()).toEqual([]);
    });

    it.each([[undefined], ['2025-06-30T12:00:00Z']])(
      'stays, and a person is asked, where it is not known which was said last: each at %s',
      async (updatedAt) => {
        await told(FIRST, updatedAt);
        await told(FIRST.addDays(20), updatedAt);
        expect(await waiting()).toEqual([[String(FIRST), 'waiting']]);
        const detail = expect.stringMatching(
          `: date ${String(FIRST)}, now ${String(FIRST.addDays(20))}$`,
        ) as string;
        expect(await asked()).toMatchObject([{ code: 'content-differs', detail }]);
      },
    );

    it('stays, and a person is asked, where it is to another account besides', async () => {
      const byGateway = `account: '\${order.payment.gateway == "g" ? "main" : "other"}'`;
      const rule = settlingRule(FIRST.toString()).replace(/plan: .*/, 'plan: ${order.payment.settlements}');
      await putInForce(harness.service, [rule.replace(/account: .*/, byGateway), 1]);
      await told(FIRST, '2025-06-30T12:00:00Z');
      await told(FIRST.addDays(20), '2025-07-02T12:00:00Z', { gateway: 'another' });
      expect(await waiting()).toEqual([[String(FIRST), 'waiting']]);
      expect(await asked()).toMatchObject([{ code: 'content-differs' }]);
    });
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
