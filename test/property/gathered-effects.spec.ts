import fc from 'fast-check';
import type { Database } from '../../src/database/database';
import type { EffectResult, PlannedEffect } from '../../src/finance/api/effects/effect';
import { formatMinor } from '../../src/kernel/money';
import { Company, outputOf, receiptEffect, scheduleEffect } from '../support/company';
import { openTestDatabase } from '../support/database';
import { slowPropertyRuns } from '../support/property-runs';

/** Amounts are minor units; a payment is for sales by their place among those made so far. */
type Act = { act: 'sell'; minor: number } | { act: 'receive'; sales: number[]; minor: number };

const amount = fc.integer({ min: 1, max: 1_000 });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constant('sell' as const), minor: amount }),
  fc.record({
    act: fc.constant('receive' as const),
    sales: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
    minor: amount,
  }),
);

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

type Apply = (effect: PlannedEffect) => Promise<EffectResult | undefined>;

/** What a company sells and receives, one effect after another. */
class Trade {
  private readonly sold: string[] = [];
  private readonly told: unknown[] = [];
  private keys = 0;

  private constructor(
    private readonly company: Company,
    private readonly customer: string,
  ) {}

  static async begin(): Promise<Trade> {
    const company = await Company.found(database);
    return new Trade(company, await company.customer());
  }

  /** Each effect in a transaction of its own. */
  async apart(acts: readonly Act[]): Promise<void> {
    for (const one of acts) await this.play(one, async (effect) => (await this.company.apply(effect))[0]);
  }

  /** All effects in one batch: the next is asked for when the one before it is decided, and nothing is written. */
  async together(acts: readonly Act[]): Promise<void> {
    await database.transaction(async (tx) => {
      const batch = this.company.applier.begin(tx);
      for (const one of acts)
        await this.play(one, async (effect) => (await batch.apply([this.company.request(effect)]))[0]);
      await batch.finish();
    });
  }

  /** What was answered, and how the books stand. */
  async outcome(): Promise<unknown> {
    await this.company.verify();
    const { open, balance } = {
      open: await this.company.open(this.sold),
      balance: await this.company.balance(),
    };
    const entries = await database.prisma.entry.count({
      where: { organizationId: this.company.organization.id },
    });
    return { told: this.told, open: open.map(String), balance: String(balance), entries };
  }

  private async play(one: Act, apply: Apply): Promise<void> {
    const key = `trade/${(this.keys += 1)}`;
    const value = formatMinor(BigInt(one.minor), 2);
    if (one.act === 'sell') {
      const result = await apply(scheduleEffect(key, { customer: this.customer, value }));
      this.sold.push(...(outputOf(result).all ?? []));
    } else if (this.sold.length > 0) {
      const schedules = [...new Set(one.sales.map((sale) => this.sold[sale % this.sold.length] ?? ''))];
      const result = await apply(receiptEffect(key, { schedules, value }));
      const receipts = outputOf(result).all?.length;
      this.told.push({ receipts, leftOver: result?.state === 'applied' && result.attention[0]?.amount });
    }
  }
}

it('comes to the same whether effects are gathered or written one by one', async () => {
  const before = fc.array(act, { maxLength: 6 });
  const inTheBatch = fc.array(act, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(before, inTheBatch, async (past, acts) => {
      const [gathered, apart] = [await Trade.begin(), await Trade.begin()];
      await gathered.apart(past);
      await gathered.together(acts);
      await apart.apart([...past, ...acts]);
      expect(await gathered.outcome()).toEqual(await apart.outcome());
    }),
    { numRuns: slowPropertyRuns(8) },
  );
});
