import type { MoneyFacts } from '../../events/money-facts';
import type { ComparedEntity } from './differences';
import { checkEntity } from './entity-check';
import type { EffectsKnown, KnownDelivery } from './known-entity';
import { type Listing, Report } from './report';

const NOON = new Date('2026-10-05T12:00:00Z');
const NOTHING: EffectsKnown = {
  ...{ records: new Map(), deferred: new Map(), heldBack: new Map(), books: new Map() },
};

function facts(key: string, fields: Partial<MoneyFacts> = {}): MoneyFacts {
  return {
    ...{ key, kind: 'order', madeAt: NOON, asOf: NOON, currency: 'BRL', total: '100', instalments: 1 },
    ...{ payments: {}, refunds: {}, fees: {}, gateways: {}, test: false, cancelled: false },
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
  // In the order of a database that sorts by words: another than that of the characters.
  const keys = ['a', 'B', 'c', 'D', 'e'];

  function page(listing: Listing): Report {
    const report = new Report(listing);
    for (const key of keys) report.take(facts(key), differing, []);
    return report;
  }

  it('lists every order of one instant once, page by page, in the order of the database', () => {
    const listed: string[] = [];
    for (let after: Listing['after'], more = true; more;) {
      const { items, hasMore } = page({ limit: 2, after });
      listed.push(...items.map((item) => item.facts.key));
      after = items.at(-1)?.facts;
      more = hasMore;
    }
    expect(listed).toEqual(keys);
  });

  it('counts all of them, whichever are listed', () => {
    const { differences, counts } = page({ limit: 1, after: { madeAt: NOON, key: 'D' } });
    expect([differences, counts.differing]).toEqual([5, 5]);
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
