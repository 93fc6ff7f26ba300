import { Company, customerEffect, outputOf, receiptEffect } from '../../../../test/support/company';
import { openTestReplicas } from '../../../../test/support/database';
import { payable } from '../../../../test/support/payables';
import type { Database } from '../../../database/database';
import type { PlannedEffect } from '../../api/effects/effect';

let replicas: Database[];
let companies: Company[];

beforeAll(async () => {
  replicas = await openTestReplicas(2);
});
beforeEach(async () => {
  const company = await Company.found(replicas[0]!);
  companies = replicas.map((database) => company.on(database));
});
afterEach(() => companies[0]!.verify());
afterAll(() => Promise.all(replicas.map((database) => database.close())));

/** Applies each effect by itself, all at once, on both replicas in turn. */
function atOnce(effects: readonly PlannedEffect[]) {
  return Promise.all(effects.map(async (effect, index) => (await companies[index % 2]!.apply(effect))[0]!));
}

const many = <T>(make: (index: number) => T) => Array.from({ length: 16 }, (_, index) => make(index));

it('sixteen keys that name one account at once open one', async () => {
  const results = await atOnce(
    many((index) => ({
      key: `account/${index}`,
      operation: 'account.ensure',
      input: { name: 'PagBank', openBalance: '0.00', openedOn: '2000-01-01' },
    })),
  );
  expect(results.filter(({ state }) => state === 'applied')).toHaveLength(1);
  expect(new Set(results.map((result) => outputOf(result).id)).size).toBe(1);
});

it('write-offs and payments at once settle no more than is open, and the account gets what was paid', async () => {
  const company = companies[0]!;
  const schedules = await company.schedules({ customer: await company.customer(), value: '100.00' });
  const results = await atOnce(
    many((index) =>
      index % 4 === 3
        ? receiptEffect(`pay/${index}`, { schedules, value: '7.00' })
        : {
            key: `write-off/${index}`,
            operation: 'credit-schedule.write-off' as const,
            amount: '11.00',
            input: {
              ...{ schedules, account: 'main', category: '2.1.06', date: '2026-03-12', value: '11.00' },
              ...{ description: 'Cancelled', reference: String(index) },
            },
          },
    ),
  );
  expect(results.every((result) => result.state !== 'refused')).toBe(true);
  expect(await company.open(schedules)).toEqual([0n]);
  const leftOver = results
    .flatMap((result) => ('attention' in result ? result.attention : []))
    .reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n);
  expect(await company.balance()).toBe(4n * 700n - leftOver);
});

it('one payment of a payable is taken back once, whoever asks', async () => {
  const company = companies[0]!;
  const schedule = await payable(company, { paidMinor: 2_000n });
  const where = { kind: 'payment', debitId: schedule } as const;
  const { id: payment } = await replicas[0]!.prisma.entry.findFirstOrThrow({ where });
  const results = await atOnce(
    many((index) => ({
      key: `deletion/${index}`,
      operation: 'payment.delete',
      input: { schedule, payment },
    })),
  );
  expect(results.filter(({ state }) => state === 'applied')).toHaveLength(1);
  expect(results.filter(({ state }) => state === 'existing')).toHaveLength(15);
  expect(await company.open([schedule])).toEqual([5_000n]);
});

it('a customer and a cost center whom many events describe at once are as the newest says', async () => {
  const company = companies[0]!;
  const at = (second: number) => new Date(Date.UTC(2026, 2, 10, 12, 0, second)).toISOString();
  const customers = many((second) =>
    customerEffect('customer/1', { name: `Name ${second}`, update: ['name'], asOf: at(second) }),
  );
  const costCenters = many((second): PlannedEffect => ({
    key: `cost-center/${second}`,
    operation: 'cost-center.update',
    input: { costCenter: 'geral', description: `Description ${second}`, asOf: at(second) },
  }));
  const results = await atOnce([...customers, ...costCenters]);
  const { prisma } = replicas[0]!;
  const where = { organizationId: company.organization.id };
  expect(results.every(({ state }) => state !== 'refused')).toBe(true);
  expect(await prisma.stakeholder.findMany({ where })).toMatchObject([{ name: 'Name 15' }]);
  expect(await prisma.costCenter.findMany({ where: { ...where, externalCode: 'geral' } })).toMatchObject([
    { description: 'Description 15' },
  ]);
});
