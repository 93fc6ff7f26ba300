import { Company, receiptEffect } from '../../../test/support/company';
import { openTestReplicas } from '../../../test/support/database';
import { embeddedDue, putOff, statesOf } from '../../../test/support/deferred-parts';
import { feedChangesOf } from '../../../test/support/feed-changes';
import type { Database } from '../../database/database';
import type { PlannedEffect } from '../../finance/api/effects/effect';

const RUNNING = new AbortController().signal;

let replicas: Database[];
let company: Company;

beforeAll(async () => {
  replicas = await openTestReplicas(3);
});
beforeEach(async () => {
  company = await Company.found(replicas[0]!);
});
afterEach(() => company.verify());
afterAll(() => Promise.all(replicas.map((database) => database.close())));

async function parts(count: number): Promise<PlannedEffect[]> {
  const schedules = await company.schedules({ customer: await company.customer(), value: '300.00' });
  return Array.from({ length: count }, (_, index) =>
    receiptEffect(`part/${index}`, { schedules, value: '1.00', date: '2026-03-10' }),
  );
}

async function applyAll(database: Database): Promise<void> {
  const due = embeddedDue(database);
  while ((await due.applySome(RUNNING)) > 0);
}

it('three replicas apply each part once, and announce each once', async () => {
  const effects = await parts(200);
  await putOff(replicas[0]!, company.organization, effects);
  await Promise.all(replicas.map(applyAll));
  expect(await company.balance()).toBe(20_000n);
  expect(new Set(Object.values(await statesOf(replicas[0]!, company.organization)))).toEqual(
    new Set(['applied']),
  );
  const announced = await feedChangesOf(replicas[0]!, company.organization.id);
  expect(announced.filter(({ type }) => type === 'receipt.registered')).toHaveLength(200);
});

it('parts that replicas store at once, in any order, are stored once', async () => {
  const effects = await parts(50);
  await Promise.all(
    replicas.map((database, index) =>
      putOff(database, company.organization, index % 2 === 0 ? effects : effects.toReversed()),
    ),
  );
  expect(Object.keys(await statesOf(replicas[0]!, company.organization))).toHaveLength(50);
});

it('a part that is asked for directly while its worker applies it is booked once', async () => {
  const effects = await parts(20);
  await putOff(replicas[0]!, company.organization, effects);
  const ask = async (database: Database, asked: readonly PlannedEffect[]): Promise<void> => {
    for (const effect of asked) await company.on(database).apply(effect);
  };
  await Promise.all([
    applyAll(replicas[0]!),
    ask(replicas[1]!, effects),
    ask(replicas[2]!, effects.toReversed()),
  ]);
  await applyAll(replicas[0]!);
  expect(await company.balance()).toBe(2_000n);
});
