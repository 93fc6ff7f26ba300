import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { findProvider, PROVIDERS } from '../../src/sources/registry';
import type { SourceProvider } from '../../src/sources/source';
import {
  arranged,
  arrivingCases,
  GROWING,
  ORDERS,
  type Outcome,
  ProviderArrivals,
} from '../support/provider-arrivals';
import type { SourceCase } from '../support/source-cases';

describe('the fixtures of a provider', () => {
  let arrivals: ProviderArrivals;

  beforeAll(async () => {
    arrivals = await ProviderArrivals.start();
  });
  afterAll(() => arrivals.stop());

  it.each(PROVIDERS.map((provider) => [provider.id, provider] as const))(
    'of %s come to the same records in whatever order they arrive, each twice',
    async (_id, provider) => {
      const listed = arrivingCases(provider);
      const outcomes = new Map<string, Outcome>();
      for (const order of ORDERS) outcomes.set(order, await outcomeOf(provider, arranged(listed, order)));
      const [first, ...others] = outcomes.values();
      expect(first?.some((line) => line.startsWith('entry')) ?? false).toBe(true);
      for (const other of others) expect(other).toEqual(first);
      expect((await verifyLedger(arrivals.service.database.prisma)).difference).toBeUndefined();
    },
  );

  it.each(PROVIDERS.map((provider) => [provider.id, provider] as const))(
    'of %s come to the same records where they are imported, and change nothing where they were received',
    async (_id, provider) => {
      // Of a provider that is asked, a line proves nothing by itself: what the API does not have any more is a dead letter.
      const listed = arrivingCases(provider).filter(
        ({ fetched = [] }) => !provider.fetchBack || fetched.length > 0,
      );
      const [shop, other] = [await arrivals.shop(provider, listed), await arrivals.shop(provider, listed)];
      await shop.receive(listed);
      const received = await shop.records();
      expect(received.some((line) => line.startsWith('entry'))).toBe(true);
      await shop.import(arranged(listed, 'the other way round'));
      expect(await shop.records()).toEqual(received);
      const taken = await shop.importRecords(arranged(listed, 'shuffled'));
      // Of some that are asked, no line is taken but a webhook's own.
      const takesRecords = !provider.fetchBack || provider.importLine !== undefined;
      expect([takesRecords, taken > 0]).not.toEqual([true, false]);
      expect(await shop.records()).toEqual(received);
      await other.import(arranged(listed, 'shuffled'));
      expect(await other.records()).toEqual(received);
    },
  );

  it('of PagBank book one of two sums that went back of a charge, and ask a person about the other', async () => {
    const pagbank = findProvider('pagbank');
    const cases = ['order-card-paid.json', GROWING, 'order-refunded.json'].map((file) => ({
      ...{ file, topic: 'PAID', says: file },
    }));
    if (!pagbank) throw new Error('there is no PagBank');
    const back = /^entry payment .*: (\d+)$/;
    for (const [arrival, minor] of [
      [cases, '11500'],
      [cases.toReversed(), '27490'],
    ] as const) {
      const outcome = await outcomeOf(pagbank, arrival);
      expect(outcome.flatMap((line) => back.exec(line)?.[1] ?? [])).toEqual([minor]);
      expect(outcome.filter((line) => line.startsWith('attention amount-differs'))).toHaveLength(1);
    }
  });

  async function outcomeOf(provider: SourceProvider, cases: readonly SourceCase[]): Promise<Outcome> {
    const shop = await arrivals.shop(provider, cases);
    await shop.receive(cases);
    return shop.records();
  }
});
