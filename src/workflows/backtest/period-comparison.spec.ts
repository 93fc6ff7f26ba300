import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderFacts } from '../../events/event';
import type { RecordedEffect } from '../../finance/api/effects/effect-records.port';
import { brl, compiled, DOCUMENT_KEY, ORGANIZATION, paidOrder, TABLES } from '../../rules/fixtures';
import { ActiveRules } from '../active-rules';
import { Planner } from '../planner';
import type { ComparedPeriod } from './differences';
import { type ComparedDelivery, PeriodComparison } from './period-comparison';
import type { StoredRun } from './stored-runs.repository';

const DOCUMENT = readFileSync(join(__dirname, '../../../config/profiles/cash/order-paid.yaml'), 'utf8');
const RECEIPT = 'receipt/shop/order/1001/payment/1';

interface Case {
  id?: string;
  document?: string;
  /** The rule that its stored runs were planned by; absent: it has none. */
  before?: string;
  order?: Partial<OrderFacts>;
  isSettled?: boolean;
  unreadable?: string;
}

/** A delivery of a paid order, planned and with what was done for it. */
async function delivery(
  { id = 'd1', document = DOCUMENT, before, order, isSettled = true, unreadable }: Case,
  known: ReadonlyMap<string, Partial<RecordedEffect>> = new Map(),
): Promise<ComparedDelivery> {
  const planned = unreadable === undefined ? [await planOf(id, document, order)] : [];
  const earlier = before === undefined ? [] : (await planOf(id, before, order)).runs;
  const runs = earlier.map((run): StoredRun => ({ ...run, rule: run.plan.rule }));
  const records = new Map(
    [...known].map(([key, record]) => [
      key,
      {
        operation: operationOf(key),
        state: 'applied',
        amountMinor: null,
        runId: 'another',
        ...record,
      } as const,
    ]),
  );
  return {
    id,
    isSettled,
    businessKey: 'shop/order/1001',
    planned,
    unreadable,
    runs,
    records,
    deferred: new Map(),
    heldBack: new Map(),
  };
}

function operationOf(key: string): string {
  if (key.startsWith('receipt/')) return 'receipt.allocate';
  return key.startsWith('credit-schedule/') ? 'credit-schedule.create' : 'customer.ensure';
}

async function planOf(id: string, document: string, order?: Partial<OrderFacts>) {
  const active = new ActiveRules();
  const rules = document === '' ? [] : [compiled(document)];
  active.replace(new Map([[ORGANIZATION.id, { rules, tables: TABLES, documentKey: DOCUMENT_KEY }]]));
  const event = paidOrder(order);
  const work = { organization: ORGANIZATION, deliveryId: id, eventIndex: 0, event };
  return new Planner(active).plan({ ...work, receivedAt: event.occurredAt });
}

/** What is known when all that a delivery's stored runs planned was applied for them. */
function applied({ runs }: ComparedDelivery): Map<string, Partial<RecordedEffect>> {
  const effects = runs.flatMap(({ id, plan }) =>
    plan.steps.flatMap((step) => step.effects.map((e) => ({ id, e }))),
  );
  return new Map(
    effects.map(({ id, e }) => [
      e.key,
      { runId: id, amountMinor: e.amount === undefined ? null : brl(e.amount).minor },
    ]),
  );
}

async function done(one: Case): Promise<ComparedDelivery> {
  const made = await delivery({ before: DOCUMENT, ...one });
  return delivery({ before: DOCUMENT, ...one }, applied(made));
}

function compared(deliveries: readonly ComparedDelivery[], rule?: string): ComparedPeriod {
  const comparison = new PeriodComparison(ORGANIZATION, rule);
  for (const one of deliveries) comparison.take(one);
  return comparison.finish();
}

function shown({ orders }: ComparedPeriod): string[] {
  return orders.flatMap(({ effects }) =>
    effects.map(({ kind, key, valueMinor }) => `${kind} ${key} ${valueMinor}`),
  );
}

describe('comparing a period', () => {
  it('finds nothing where everything was applied as it is planned', async () => {
    const found = compared([await done({}), await done({ id: 'd2' })]);
    expect(found).toMatchObject({ orders: [], totals: [], refusals: 0, ordersCompared: 1, toRepair: [] });
    expect(found.effectsPlanned).toBe(3);
  });

  it('counts what several deliveries plan once, as the first of them plans it', async () => {
    const more = { payment: { ...paidOrder().order.payment!, value: brl('120.00') } };
    const found = compared([await delivery({}), await delivery({ id: 'd2', order: more })]);
    expect(shown(found)).toEqual([
      expect.stringMatching(/^missing customer\/document\/\w+ undefined$/),
      'missing credit-schedule/shop/order/1001 10000',
      `missing ${RECEIPT} 10000`,
    ]);
    expect(found.toRepair).toEqual(['d1']);
    expect(found.totals).toContainEqual({
      ...{ kind: 'missing', operation: 'receipt.allocate', count: 1, valueMinor: 10_000n },
    });
  });

  it('compares an amount with the plan of the delivery that it was applied for, and with no other', async () => {
    const first = await done({});
    const more = { payment: { ...paidOrder().order.payment!, value: brl('120.00') } };
    const records = applied(first);
    expect(shown(compared([first, await delivery({ id: 'd2', order: more }, records)]))).toEqual([]);
    const cheaper = DOCUMENT.replace('${order.payment.value}', '${order.payment.value - money("1.50")}');
    const made = await delivery({ before: DOCUMENT, document: cheaper }, records);
    expect(compared([made]).orders[0]?.effects).toMatchObject([
      { kind: 'changed', key: RECEIPT, valueMinor: 9_850n, appliedMinor: 10_000n, content: [] },
    ]);
    expect(compared([made]).totals).toEqual([
      { kind: 'changed', operation: 'receipt.allocate', count: 1, valueMinor: -150n },
    ]);
  });

  it('names other content without repeating what is personal', async () => {
    const first = await done({});
    const other = DOCUMENT.replace('"online-sales"', '"refunds"');
    const found = compared([await delivery({ before: DOCUMENT, document: other }, applied(first))]);
    expect(found.orders[0]?.effects).toMatchObject([
      { kind: 'changed', content: ['category 1.1.01, now 2.1.06'] },
    ]);
    expect(found.orders[0]?.effects[0]).not.toHaveProperty('appliedMinor');
  });

  it('finds what was applied and is planned by no delivery, also by one that only waits', async () => {
    const first = await done({});
    const gone = await delivery({ before: DOCUMENT, document: '' }, applied(first));
    expect(shown(compared([gone]))).toEqual([
      expect.stringMatching(/^unplanned customer\/document\/\w+ undefined$/),
      'unplanned credit-schedule/shop/order/1001 10000',
      `unplanned ${RECEIPT} 10000`,
    ]);
    const waiting = await delivery({ id: 'd2', isSettled: false });
    expect(shown(compared([gone, waiting]))).toEqual([]);
    expect(shown(compared([waiting, gone]))).toEqual([]);
  });

  it('takes nothing for given up where the rule is refused, or nothing can be read', async () => {
    const first = await done({});
    const refusing = DOCUMENT.replace('"online-sales"', '"no-such"');
    const refused = compared([await delivery({ before: DOCUMENT, document: refusing }, applied(first))]);
    expect(shown(refused)).toEqual([]);
    expect(refused.orders).toMatchObject([{ refused: [{ rule: 'order-paid', step: 'schedule' }] }]);
    const unreadable = await delivery({ before: DOCUMENT, unreadable: 'its source is gone' }, applied(first));
    const unread = compared([unreadable, unreadable]);
    expect(unread).toMatchObject({ refusals: 1, orders: [{ effects: [], refused: [{ rule: null }] }] });
  });

  it('leaves to a person what may be done, and repairs what surely is not', async () => {
    const first = await done({});
    const records = applied(first);
    records.set(RECEIPT, { state: 'unknown' });
    expect(compared([await delivery({}, records)])).toMatchObject({
      ...{ orders: [{ effects: [{ kind: 'undecided', state: 'unknown' }] }], toRepair: [] },
    });
    records.set(RECEIPT, { state: 'refused' });
    expect(compared([await delivery({}, records)])).toMatchObject({
      ...{ orders: [{ effects: [{ kind: 'missing', state: 'refused' }] }], toRepair: ['d1'] },
    });
  });

  it('compares nothing of what is not settled, and of one rule that rule alone', async () => {
    const waiting = await delivery({ isSettled: false });
    expect(compared([waiting])).toMatchObject({ orders: [], ordersCompared: 0 });
    expect(compared([await delivery({})], 'another').orders).toEqual([]);
    expect(compared([await delivery({})], 'order-paid').orders).toHaveLength(1);
  });

  it('gives the same digest to the same missing effects, and another one to any other', async () => {
    const [one, two] = [await delivery({}), await delivery({ id: 'd2', order: { key: 'shop/order/2' } })];
    const digests = [
      compared([one]),
      compared([two]),
      compared([await done({})]),
      compared([await delivery({ id: 'd9' })]),
      compared([await delivery({ document: DOCUMENT.replace('"online-sales"', '"refunds"') })]),
    ].map(({ digest }) => digest);
    expect(new Set(digests).size).toBe(5);
    expect(compared([await delivery({}), await delivery({ id: 'd3' })]).digest).toBe(digests[0]);
  });
});
