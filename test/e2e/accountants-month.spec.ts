import { bookedFigures } from '../../scripts/demo/month/booked';
import { expectedFigures, expectedLeft, type LeftToPerson } from '../../scripts/demo/month/expected';
import { makeMonth } from '../../scripts/demo/month/make-month';
import { messagesOf } from '../../scripts/demo/month/messages';
import { type MonthService, openAccounts, sendMonth } from '../../scripts/demo/month/play-month';
import { reconcile, reconciliationReport } from '../../scripts/demo/month/reconciliation';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { OrderHarness } from '../support/order-harness';
import { putProfile } from '../support/profiles';
import { isFullSize, slowPropertyRuns } from '../support/property-runs';

/** Reads a list of operators page by page. */
async function allOf<T>(harness: OrderHarness, list: string): Promise<T[]> {
  const found: T[] = [];
  for (let after: string | null = ''; after !== null;) {
    const page = (await harness.service.admin(
      `${list}${list.includes('?') ? '&' : '?'}limit=500${after && `&after=${after}`}`,
    )) as {
      items: T[];
      after: string | null;
    };
    found.push(...page.items);
    after = page.after;
  }
  return found;
}

const REMOTE = { uniqueDocuments: true };

/** Waits until nothing waits, neither to be worked on nor for a record. @throws Error for what needs a person */
async function settled(harness: OrderHarness): Promise<void> {
  for (let dead = 1; dead > 0;) {
    await harness.settled();
    const letters = await allOf<{ topic: string; reason: string; needsPerson: boolean }>(
      harness,
      'deliveries?state=dead',
    );
    const refused = letters.find(({ needsPerson }) => needsPerson);
    if (refused) throw new Error(`${refused.topic}: ${refused.reason}`);
    dead = letters.length;
  }
}

function monthService(harness: OrderHarness): MonthService {
  const { service } = harness;
  return {
    makeAccount: (name) => harness.openAccount(name),
    putTable: (name, entries) => harness.table(name, entries),
    send: async (message) => (await service.hook(message)).status,
    settled: () => settled(harness),
    async rulesInForce() {
      const rules = await allOf<{ name: string; enabled: boolean }>(harness, 'rules');
      return new Set(rules.filter(({ enabled }) => enabled).map(({ name }) => name));
    },
    left: () => allOf<LeftToPerson>(harness, 'attention'),
  };
}

/** Of the orders: the whole month would be slow; `PROPERTY_SCALE=4` has all of them. */
const SHARE = Math.min(1, slowPropertyRuns(25) / 100);

const WHERE = [
  ["on Ponte's own books, cash", () => OrderHarness.embedded(), 'cash'],
  ['in a remote finance service, accrual', () => OrderHarness.remote(REMOTE), 'accrual'],
  ["on Ponte's own books, accrual", () => OrderHarness.embedded(), 'accrual'],
  ['in a remote finance service, cash', () => OrderHarness.remote(REMOTE), 'cash'],
] as const;

// Each profile and each backend once; `.ci/run` takes each profile on each backend.
describe.each(isFullSize ? WHERE : WHERE.slice(0, 2))(
  "an accountant's month, %s",
  (_where, open, profile) => {
    let harness: OrderHarness;

    beforeAll(async () => {
      harness = await open();
      if (profile !== 'cash') await putProfile(harness.service, profile);
    });
    afterAll(() => harness.stop());

    it('reconciles to the cent: shops, gateways, fees, payouts, the bank and what is left to a person', async () => {
      const service = monthService(harness);
      const month = makeMonth(2026, SHARE);
      const rules = await service.rulesInForce();
      await openAccounts(service);
      await sendMonth(service, messagesOf(month, rules, 7));
      const reconciliation = reconcile(
        { figures: expectedFigures(month, rules), left: expectedLeft(month, rules) },
        { figures: await bookedFigures(harness.books.prisma), left: await service.left() },
      );
      if (!reconciliation.agrees) throw new Error(`\n${reconciliationReport(reconciliation)}`);
      expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
    });
  },
);

it('is of two hundred orders', () => {
  expect(makeMonth(2026).orders).toHaveLength(200);
});
