import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { findProvider, PROVIDERS } from '../../src/sources/registry';
import type { SourceProvider } from '../../src/sources/source';
import {
  arranged,
  arrivingCases,
  canBeImported,
  GROWING,
  importedAgain,
  type Outcome,
  ProviderArrivals,
  type Way,
  WAYS,
} from '../support/provider-arrivals';
import type { SourceCase } from '../support/source-cases';

describe('the fixtures of a provider', () => {
  let arrivals: ProviderArrivals;

  beforeAll(async () => {
    arrivals = await ProviderArrivals.start();
  });
  afterAll(() => arrivals.stop());

  it.each(PROVIDERS.map((provider) => [provider.id, provider] as const))(
    'of %s come to the same records in whatever order they arrive, received twice or imported',
    async (_id, provider) => {
      const listed = arrivingCases(provider);
      const shop = await arrivals.shop(provider, listed);
      await shop.receive(listed);
      const records = await shop.records();
      expect(records.some((line) => line.startsWith('entry'))).toBe(true);
      for (const way of WAYS) expect([way, await recordsOf(provider, listed, way)]).toEqual([way, records]);

      const importable = listed.filter((one) => canBeImported(provider, one));
      const again = importedAgain(importable);
      await shop.import(arranged(again.webhooks, 'the other way round'));
      expect(await shop.records()).toEqual(records);
      const taken = await shop.importRecords(arranged(again.records, 'shuffled'));
      // Of some that are asked, no line is taken but a webhook's own.
      const takesRecords = !provider.fetchBack || provider.importLine !== undefined;
      expect([takesRecords, taken > 0]).not.toEqual([true, false]);
      expect(await shop.records()).toEqual(records);
      expect((await verifyLedger(arrivals.service.database.prisma)).difference).toBeUndefined();
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
      const shop = await arrivals.shop(pagbank, arrival);
      await shop.receive(arrival);
      const outcome = await shop.records();
      expect(outcome.flatMap((line) => back.exec(line)?.[1] ?? [])).toEqual([minor]);
      expect(outcome.filter((line) => line.startsWith('attention amount-differs'))).toHaveLength(1);
    }
  });

  /** What comes of the same cases in a shop of their own. */
  async function recordsOf(
    provider: SourceProvider,
    listed: readonly SourceCase[],
    { order, imports }: Way,
  ): Promise<Outcome> {
    const shop = await arrivals.shop(provider, listed);
    for (const [index, one] of arranged(listed, order).entries())
      await (imports(index) && canBeImported(provider, one) ? shop.import([one]) : shop.receive([one]));
    return shop.records();
  }
});
