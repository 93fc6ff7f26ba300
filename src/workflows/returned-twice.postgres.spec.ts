import { Company } from '../../test/support/company';
import { openTestReplicas } from '../../test/support/database';
import type { Database } from '../database/database';
import { type ReportedFacts, storeMoneyFacts } from '../deliveries/money-facts.repository';
import type { MoneyFacts } from '../events/money-facts';
import { newId } from '../kernel/identifier';
import { AttentionRepository } from './attention.repository';
import { askAboutReturns } from './returned-twice.repository';

const AT = new Date('2026-10-05T12:00:00Z');

describe('a refund and a chargeback of one order, stored by two replicas at once', () => {
  let replicas: Database[];

  beforeAll(async () => {
    replicas = await openTestReplicas(2);
  });
  afterAll(() => Promise.all(replicas.map((replica) => replica.close())));

  it('are asked about once, whichever commits first', async () => {
    const { organization } = await Company.found(replicas[0]!);
    const sourceId = newId();
    const base = {
      ...{ madeAt: AT, asOf: AT, currency: 'BRL', total: '10000', number: null, orderKey: null },
      ...{ payments: {}, refunds: {}, fees: {}, gateways: {}, instalments: 1, test: false, cancelled: false },
    };
    const keys = Array.from({ length: 8 }, (_, index) => `shop/order/${index}`);
    for (const key of keys) {
      const returned = { payments: { p: '10000' }, refunds: { r: '10000' } };
      const refund: MoneyFacts = { ...base, key, kind: 'order', ...returned };
      const dispute: MoneyFacts = { ...base, key: `${key}/dispute`, kind: 'dispute', orderKey: key };
      let stored = 0;
      let go: () => void = () => undefined;
      const both = new Promise<void>((resolve) => (go = resolve));
      await Promise.all(
        [refund, dispute].map((facts, which) =>
          replicas[which]!.transaction(async (tx) => {
            const reported: ReportedFacts = { organization, sourceId, facts };
            const returning = await storeMoneyFacts(tx, [reported]);
            expect(returning).toEqual([{ organization, sourceId, key }]);
            stored += 1;
            if (stored === 2) go();
            await both;
            await askAboutReturns(tx, new AttentionRepository(), returning, AT);
          }),
        ),
      );
    }
    const asked = await replicas[0]!.prisma.attention.findMany({ orderBy: { businessKey: 'asc' } });
    expect(asked.map(({ businessKey, amountMinor }) => [businessKey, amountMinor])).toEqual(
      keys.map((key) => [key, 10_000n]),
    );
  });
});
