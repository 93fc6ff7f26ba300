import fc from 'fast-check';
import type { Database } from '../../src/database/database';
import type { EffectResult, PlannedEffect } from '../../src/finance/api/effects/effect';
import { BalanceRollup } from '../../src/finance/embedded/accounts/balance-rollup';
import { SystemClock } from '../../src/kernel/clock';
import { formatMinor } from '../../src/kernel/money';
import { Company, outputOf, receiptEffect, scheduleEffect } from '../support/company';
import { openTestDatabase } from '../support/database';
import { slowPropertyRuns } from '../support/property-runs';

/** What a company does, in random order. Amounts are minor units; schedules are named by their creation. */
type Act =
  | { act: 'sell'; parts: number[]; days: number[] }
  | { act: 'receive'; sales: number[]; minor: number }
  | { act: 'roll up' };

const amount = fc.integer({ min: 1, max: 100_000 });
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        act: fc.constant('sell' as const),
        parts: fc.array(amount, { minLength: 1, maxLength: 5 }),
        days: fc.array(fc.integer({ min: 1, max: 28 }), { minLength: 5, maxLength: 5 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        act: fc.constant('receive' as const),
        sales: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
        minor: amount,
      }),
    },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('roll up' as const) }) },
  ),
  { minLength: 1, maxLength: 25 },
);

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function day(number: number): string {
  return `2026-05-${String(number).padStart(2, '0')}`;
}

/** A company's year, played on the database, with what must come of it reckoned beside it. */
class Story {
  readonly effects: PlannedEffect[] = [];
  readonly results: EffectResult[] = [];
  private readonly sales: string[][] = [];
  /** Value and open value of each schedule, by its UUID, in minor units. */
  private readonly open = new Map<string, { minor: bigint; due: string }>();
  private received = 0n;
  private leftOver = 0n;
  private paid = 0n;

  constructor(
    readonly company: Company,
    private readonly customer: string,
  ) {}

  async play(acts: readonly Act[]): Promise<void> {
    for (const [index, act] of acts.entries()) {
      if (act.act === 'sell') await this.sell(`sale/${index}`, act.parts, act.days);
      else if (act.act === 'receive') await this.receive(`receipt/${index}`, act.sales, act.minor);
      else await new BalanceRollup(this.company.database, new SystemClock()).rollUp();
    }
  }

  private async sell(key: string, parts: number[], days: number[]): Promise<void> {
    const instalments = parts.map((minor, index) => ({
      value: formatMinor(BigInt(minor)),
      dueDate: day(days[index]!),
    }));
    const value = formatMinor(parts.reduce((sum, minor) => sum + BigInt(minor), 0n));
    const effect = scheduleEffect(key, { customer: this.customer, value, instalments });
    const ids = outputOf(await this.apply(effect)).all!;
    ids.forEach((id, index) => this.open.set(id, { minor: BigInt(parts[index]!), due: day(days[index]!) }));
    this.sales.push(ids);
  }

  private async receive(key: string, sales: number[], minor: number): Promise<void> {
    if (this.sales.length === 0) return;
    const schedules = [...new Set(sales.flatMap((sale) => this.sales[sale % this.sales.length]!))];
    const effect = receiptEffect(key, { schedules, value: formatMinor(BigInt(minor)) });
    const result = await this.apply(effect);
    const told = result.state === 'applied' ? result.attention : [];
    this.leftOver += told.reduce((sum, { amount: text }) => sum + BigInt(text.replace('.', '')), 0n);
    this.paid += BigInt(minor);
    this.reckon(schedules, BigInt(minor));
  }

  /** The rule, written a second time: oldest due date first, never more than is open. */
  private reckon(schedules: string[], minor: bigint): void {
    let rest = minor;
    const oldestFirst = schedules.toSorted((left, right) =>
      `${this.open.get(left)!.due}${left}`.localeCompare(`${this.open.get(right)!.due}${right}`),
    );
    for (const id of oldestFirst) {
      const schedule = this.open.get(id)!;
      const share = rest < schedule.minor ? rest : schedule.minor;
      schedule.minor -= share;
      rest -= share;
      this.received += share;
    }
  }

  private async apply(effect: PlannedEffect): Promise<EffectResult> {
    const [result] = await this.company.apply(effect);
    this.effects.push(effect);
    this.results.push(result!);
    return result!;
  }

  async holds(): Promise<void> {
    await this.company.verify();
    const ids = [...this.open.keys()];
    expect(await this.company.open(ids)).toEqual(ids.map((id) => this.open.get(id)!.minor));
    expect(await this.company.balance()).toBe(this.received);
    expect(this.received + this.leftOver).toBe(this.paid);
  }
}

it('whatever is sold and received in whatever order, the books follow from the entries and the money adds up', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (year) => {
      const company = await Company.found(database);
      const story = new Story(company, await company.customer());
      await story.play(year);
      await story.holds();

      const replayed = story.effects.length > 0 ? await company.apply(...story.effects) : [];
      expect(replayed).toEqual(
        story.results.map((result) => ({ state: 'existing', output: outputOf(result), attention: [] })),
      );
      await story.holds();
    }),
    { numRuns: slowPropertyRuns(10) },
  );
}, 120_000);
