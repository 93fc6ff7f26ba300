import type { MoneyFacts } from '../../events/money-facts';
import type { ComparedEntity } from './differences';
import { checkEntity } from './entity-check';
import type { EffectsKnown, KnownDelivery } from './known-entity';
import { Report } from './report';

const NOON = new Date('2026-10-05T12:00:00Z');
const NOTHING: EffectsKnown = {
  ...{ records: new Map(), deferred: new Map(), heldBack: new Map(), books: new Map() },
};

function facts(key: string, fields: Partial<MoneyFacts> = {}): MoneyFacts {
  return {
    ...{ key, kind: 'order', madeAt: NOON, asOf: NOON, currency: 'BRL', total: '100', instalments: 1 },
    ...{
      payments: {},
      refunds: {},
      fees: {},
      gateways: {},
      number: null,
      orderKey: null,
      test: false,
      cancelled: false,
    },
    ...fields,
  };
}

function delivery(state: KnownDelivery['state']): KnownDelivery {
  return { id: `a ${state} one`, state, reason: null, waitsOnly: false, hasBody: true };
}

describe('a report', () => {
  const differing: ComparedEntity = {
    ...{ totals: new Map(), apart: [] },
    differences: [
      {
        ...{
          code: 'missing',
          aspect: 'receipt',
          effect: null,
          deliveryId: null,
          cause: 'it is',
          repairable: false,
        },
      },
    ],
  };

  it.each([
    [0, [], true],
    [1, ['a'], true],
    [2, ['a', 'c'], true],
    [3, ['a', 'c', 'd'], false],
    [9, ['a', 'c', 'd'], false],
  ] as const)('lists the first %i that differ, and counts all', (most, listed, more) => {
    const report = new Report(most);
    const same = { ...differing, differences: [] };
    for (const key of ['a', 'b', 'c', 'd', 'e'])
      report.take(facts(key), 'be'.includes(key) ? same : differing, []);
    const { items, hasMore, differences, counts } = report;
    expect(items.map((item) => item.facts.key)).toEqual(listed);
    expect([hasMore, differences, counts.differing, counts.order]).toEqual([more, 3, 3, 5]);
  });
});

describe('an order of which nothing is booked', () => {
  const compared = (...deliveries: KnownDelivery[]) =>
    checkEntity({ facts: facts('shop/order/1'), deliveries, runs: [] }, NOTHING);

  it('is set apart once all that came in about it was worked on: no rule books it', () => {
    const { apart, differences } = compared(delivery('done'));
    expect(apart).toEqual([{ why: 'not-booked', aspect: 'schedule', value: 100n }]);
    expect(differences).toEqual([]);
  });

  it.each(['waiting', 'dead'] as const)('differs, and is not set apart, while a delivery is %s', (state) => {
    const { apart, differences } = compared(delivery('done'), delivery(state));
    expect(apart).toEqual([]);
    expect(differences).toMatchObject([{ deliveryId: `a ${state} one`, expected: 100n, found: 0n }]);
  });
});
