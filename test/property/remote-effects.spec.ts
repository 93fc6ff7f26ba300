import fc from 'fast-check';
import type { Database } from '../../src/database/database';
import type { EffectResult, PlannedEffect } from '../../src/finance/api/effects/effect';
import { newId } from '../../src/kernel/identifier';
import { receiptEffect, scheduleEffect } from '../support/company';
import { openTestDatabase } from '../support/database';
import { cpfNumber } from '../support/documents';
import { RemoteFinance } from '../support/remote-finance';
import { type Fate, SimulatedService } from '../support/simulated-service';
import { feedChangesOf } from '../support/feed-changes';

const FATES: Fate[] = [
  'succeeded',
  'refused',
  'not-sent',
  'unknown-applied',
  'unknown-not-applied',
  'killed-applied',
  'killed',
];

/** More rounds than any list of fates needs. */
const ROUNDS = 80;

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** One order, asked for again and again until all of it is applied. */
class Order {
  readonly service = new SimulatedService();
  /** States in which calls were left by refusals and parking. */
  parked = 0;
  private finance!: RemoteFinance;

  async place(fates: readonly Fate[]): Promise<void> {
    this.service.fates.push(...fates);
    this.finance = await RemoteFinance.open(database, this.service);
    const customer = { name: 'Lia Campos', document: cpfNumber(1) };
    const { id } = await this.persist({ key: 'c', operation: 'customer.ensure', input: customer });
    const instalments = [
      { value: '50.00', dueDate: '2026-04-10' },
      { value: '50.00', dueDate: '2026-05-10' },
    ];
    const { all } = await this.persist(scheduleEffect('s', { customer: id!, instalments }));
    await this.persist(receiptEffect('r', { schedules: all!, value: '70.00', account: newId() }));
  }

  rows() {
    return this.finance.rows();
  }

  /** What the feed was told. */
  told() {
    return feedChangesOf(database, this.finance.organization.id);
  }

  private async persist(effect: PlannedEffect): Promise<{ id?: string; all?: string[] }> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const result = await this.askOnce(effect);
      if (result && 'output' in result) return result.output;
      // Who cannot wait must not be able to do harm.
      const sooner = await this.askOnce(effect);
      if (sooner && 'output' in sooner) return sooner.output;
      await this.finance.laterOn();
      await this.decide();
    }
    throw new Error(`${effect.key} never came to an end`);
  }

  /** @returns undefined when the process was killed meanwhile */
  private askOnce(effect: PlannedEffect): Promise<EffectResult | undefined> {
    const killed = new Promise<undefined>((resolve) => {
      this.service.killed = () => resolve(undefined);
    });
    return Promise.race([this.finance.apply(effect), killed]);
  }

  /** A person looks into the service: only a customer may be parked here. */
  private async decide(): Promise<void> {
    for (const { id, operation, needsReviewAt, reason } of await this.rows()) {
      if (!needsReviewAt) continue;
      this.parked += 1;
      expect([operation, reason]).toEqual([
        'customers.create',
        expect.stringContaining('no operation that lists'),
      ]);
      const [record] = this.service.customers;
      const { organization, decisions } = this.finance;
      await database.transaction((tx) =>
        record === undefined
          ? decisions.repeat(tx, organization.id, id, 'it is not there')
          : decisions.adopt(tx, organization.id, id, record, 'it is there'),
      );
    }
  }
}

it('whatever becomes of its calls, an order takes effect once', async () => {
  const seen = { parked: 0, again: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...FATES), { maxLength: 14 }), async (fates) => {
      const order = new Order();
      await order.place(fates);
      const { customers, schedules, receipts, sent } = order.service;
      expect(customers).toHaveLength(1);
      expect(schedules.map(({ openCents }) => openCents)).toEqual([0, 3_000]);
      expect(receipts.map(({ cents }) => cents)).toEqual([5_000, 2_000]);
      expect((await order.rows()).map(({ state }) => state)).toEqual(Array(4).fill('applied'));
      const told = await order.told();
      expect(told.map(({ type, businessKey }) => [type, businessKey])).toEqual([
        ['credit-schedule.created', 's'],
        ['customer.created', 'c'],
        ['receipt.registered', 'r'],
        ['receipt.registered', 'r'],
      ]);
      expect(told[1]!.subject).toBe(`customer/${customers[0]}`);
      seen.parked += order.parked;
      seen.again += sent - 4;
    }),
    { numRuns: 8, seed: 4, endOnFailure: true },
  );
  expect(seen.parked).toBeGreaterThan(0);
  expect(seen.again).toBeGreaterThan(0);
});
