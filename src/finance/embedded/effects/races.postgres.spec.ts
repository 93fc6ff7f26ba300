import {
  Company,
  customerEffect,
  outputOf,
  receiptEffect,
  scheduleEffect,
} from '../../../../test/support/company';
import { openTestReplicas } from '../../../../test/support/database';
import { cpfNumber } from '../../../../test/support/documents';
import type { Database } from '../../../database/database';
import { UnreadChanges } from '../../../../test/support/feed-changes';
import { SettableClock } from '../../../../test/support/settable-clock';
import { CalendarDate } from '../../../kernel/calendar-date';
import { SystemClock } from '../../../kernel/clock';
import { CountRollup } from '../counts/count-rollup';
import { BalanceRollup } from '../accounts/balance-rollup';
import { readList } from '../lists/list.repository';
import { overdueCredit } from '../lists/schedule-lists.sql';
import { applyChart } from '../chart/chart';
import { OverdueRun } from '../schedules/overdue-run';
import { brazilianChart } from '../../../../test/support/company';
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

it('thirty-two payments of one schedule at once never settle more than is open', async () => {
  const company = companies[0]!;
  const ids = await company.schedules({ customer: await company.customer(), value: '100.00' });
  const results = await atOnce(
    Array.from({ length: 32 }, (_, index) =>
      receiptEffect(`pay/${index}`, { schedules: ids, value: '7.00' }),
    ),
  );
  const leftOver = results.flatMap((result) => (result.state === 'applied' ? result.attention : []));
  const total = leftOver.reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n);
  expect(results.map(({ state }) => state)).toEqual(Array(32).fill('applied'));
  expect(await company.open(ids)).toEqual([0n]);
  expect(await company.balance()).toBe(10_000n);
  expect(total).toBe(32n * 700n - 10_000n);
});

it('payments of overlapping schedules in any order neither deadlock nor lose money', async () => {
  const company = companies[0]!;
  const customer = await company.customer();
  const ids = (
    await Promise.all(Array.from({ length: 6 }, () => company.schedules({ customer, value: '50.00' })))
  ).flat();
  const results = await atOnce(
    Array.from({ length: 24 }, (_, index) => {
      const turned = [...ids.slice(index % 6), ...ids.slice(0, index % 6)];
      const schedules = index % 2 ? turned.toReversed() : turned;
      return receiptEffect(`pay/${index}`, { schedules, value: '10.00' });
    }),
  );
  expect(results.map(({ state }) => state)).toEqual(Array(24).fill('applied'));
  expect((await company.open(ids)).reduce((sum, open) => sum + open, 0n)).toBe(6n * 5_000n - 24_000n);
  expect(await company.balance()).toBe(24_000n);
});

it('one effect asked for at once by many becomes one record', async () => {
  const company = companies[0]!;
  const customer = await company.customer();
  const effect = scheduleEffect('shop/order/1', {
    customer,
    instalments: [
      { value: '50.00', dueDate: '2026-04-10' },
      { value: '50.00', dueDate: '2026-05-10' },
    ],
  });
  const results = await atOnce(Array<PlannedEffect>(20).fill(effect));
  expect(results.filter(({ state }) => state === 'applied')).toHaveLength(1);
  expect(results.filter(({ state }) => state === 'existing')).toHaveLength(19);
  expect(new Set(results.map((result) => JSON.stringify(outputOf(result).all))).size).toBe(1);
  const where = { organizationId: company.organization.id };
  expect(await replicas[0]!.prisma.schedule.count({ where })).toBe(2);
});

it('one document brought at once under many keys becomes one customer', async () => {
  const results = await atOnce(
    Array.from({ length: 20 }, (_, index) => customerEffect(`key/${index}`, { document: cpfNumber(7) })),
  );
  expect(results.map(({ state }) => state).sort()).toEqual([
    'applied',
    ...Array<string>(19).fill('existing'),
  ]);
  expect(new Set(results.map((result) => outputOf(result).id)).size).toBe(1);
  const where = { organizationId: companies[0]!.organization.id };
  expect(await replicas[0]!.prisma.stakeholder.count({ where })).toBe(1);
});

it('batches with the same effects in opposite orders do not deadlock', async () => {
  const effects = Array.from({ length: 50 }, (_, index) =>
    customerEffect(`key/${index}`, { document: cpfNumber(100 + index) }),
  );
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      companies[index % 2]!.apply(...(index % 2 ? effects.toReversed() : effects)),
    ),
  );
  expect(results.flat().filter(({ state }) => state === 'applied')).toHaveLength(50);
  expect(results.flat().filter(({ state }) => state === 'refused')).toEqual([]);
});

it('batches take documents in one order, whatever order they bring them in', async () => {
  const [one, two] = companies as [Company, Company];
  const [low, high] = [cpfNumber(1_000), cpfNumber(2_000)];
  let waiting: Promise<unknown> | undefined;
  await one.database.transaction(async (tx) => {
    await one.applier.apply(tx, [one.request(customerEffect('one/low', { document: low }))]);
    waiting = two.apply(
      customerEffect('two/high', { document: high }),
      customerEffect('two/low', { document: low }),
    );
    await blocked(two.database);
    // The other waits for the low document and must not hold the high one meanwhile.
    await one.applier.apply(tx, [one.request(customerEffect('one/high', { document: high }))]);
  });
  expect(await waiting).toMatchObject([{ state: 'existing' }, { state: 'existing' }]);
  const where = { organizationId: one.organization.id };
  expect(await one.database.prisma.stakeholder.count({ where })).toBe(2);
});

it('an effect whose first transaction rolls back is applied by the one that waited for it', async () => {
  const [one, two] = companies as [Company, Company];
  const effect = customerEffect('c', { document: cpfNumber(9) });
  let waiting: Promise<unknown> | undefined;
  const rolledBack = one.database.transaction(async (tx) => {
    await one.applier.apply(tx, [one.request(effect)]);
    waiting = two.apply(effect);
    await blocked(two.database);
    throw new Error('roll back');
  });
  await expect(rolledBack).rejects.toThrow('roll back');
  expect(await waiting).toMatchObject([{ state: 'applied' }]);
  const where = { organizationId: one.organization.id };
  expect(await one.database.prisma.stakeholder.count({ where })).toBe(1);
});

it('balances stay right while two replicas roll up and others post', async () => {
  const company = companies[0]!;
  const ids = await company.schedules({ customer: await company.customer(), value: '1000.00' });
  const rollups = replicas.map((database) => new BalanceRollup(database, new SystemClock()));
  const feed = new UnreadChanges(company.database);
  const posting = atOnce(
    Array.from({ length: 40 }, (_, index) =>
      receiptEffect(`pay/${index}`, { schedules: ids, value: '1.00' }),
    ),
  );
  let done = false;
  const seen: bigint[] = [];
  const folding = rollups.map(async (rollup) => {
    while (!done) await rollup.rollUp();
  });
  const watching = (async () => {
    while (!done) seen.push(await company.balance());
  })();
  await posting;
  done = true;
  await Promise.all([...folding, watching]);
  expect(await company.balance()).toBe(4_000n);
  // Money only came in: a delta counted twice or not at all would show as a step back or as too much.
  expect(seen).toEqual(seen.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0)));
  expect(seen.every((balance) => balance <= 4_000n)).toBe(true);
  await rollups[0]!.rollUp();
  const announced = (await feed.next(company.organization.id)).filter(
    ({ type }) => type === 'balance.changed',
  );
  let balance: unknown = 0;
  for (const { data } of announced) {
    expect(data['balanceBefore']).toBe(balance);
    expect(Number(data['balance'])).toBeGreaterThan(Number(balance));
    balance = data['balance'];
  }
  expect(balance).toBe(40);
});

it('of receipts that pay one schedule at once, one announces that it is paid', async () => {
  const [one] = companies as [Company, Company];
  const [schedule = ''] = await one.schedules({ customer: await one.customer(), value: '10.00' });
  const feed = new UnreadChanges(one.database);
  await feed.next(one.organization.id);
  await atOnce(
    Array.from({ length: 12 }, (_, index) =>
      receiptEffect(`race/${index}`, { schedules: [schedule], value: '1.00' }),
    ),
  );
  const types = (await feed.next(one.organization.id)).map(({ type }) => type);
  expect(types.filter((type) => type === 'schedule.paid')).toEqual(['schedule.paid']);
  // The last receipt that found something open, and in the feed behind all that did.
  expect(types.lastIndexOf('receipt.registered')).toBeLessThan(types.indexOf('schedule.paid'));
});

it('replicas that run on the same day announce what is overdue once', async () => {
  const [one] = companies as [Company, Company];
  const clock = new SettableClock('2026-03-10T15:00:00Z');
  const run = () => Promise.all(replicas.map((database) => new OverdueRun(database, clock).announce()));
  await run();
  const ids: string[] = [];
  for (let index = 0; index < 20; index += 1)
    ids.push(...(await one.schedules({ customer: await one.customer(), dueDate: '2026-03-11' })));
  const feed = new UnreadChanges(one.database);
  await feed.next(one.organization.id);
  clock.set('2026-03-12T15:00:00Z');
  await Promise.all([run(), run()]);
  await run();
  const lines = await feed.nextLines(one.organization.id);
  expect(lines.sort()).toEqual(ids.map((id) => `schedule.overdue schedule/${id}`).sort());
});

it('counts stay right while two replicas roll up and others write', async () => {
  const company = companies[0]!;
  const customer = await company.customer();
  const rollups = replicas.map((database) => new CountRollup(database));
  const listed = async (): Promise<number> => {
    const overdue = overdueCredit(company.organization, CalendarDate.of(2026, 12, 31));
    const { count } = await readList(company.database.prisma, company.organization, overdue, {
      top: 0,
      skip: 0,
    });
    return count;
  };
  const opening = Promise.all(
    Array.from({ length: 40 }, (_, index) => companies[index % 2]!.schedules({ customer })),
  );
  let done = false;
  const seen: number[] = [];
  const folding = rollups.map(async (rollup) => {
    while (!done) await rollup.rollUp();
  });
  const watching = (async () => {
    while (!done) seen.push(await listed());
  })();
  await opening;
  done = true;
  await Promise.all([...folding, watching]);
  expect(await listed()).toBe(40);
  // None was settled: a change counted twice or not at all would show as a step back or as too many.
  expect(seen).toEqual(seen.toSorted((left, right) => left - right));
  expect(Math.max(...seen)).toBeLessThanOrEqual(40);
  await company.verify();
});

it('replicas that apply a chart at once make one of each', async () => {
  const chart = brazilianChart();
  const openedOn = chart.accounts[0]!.openedOn;
  chart.accounts.push({ code: 'till', name: 'Till', openBalance: '10.00', openedOn });
  await Promise.all(
    [0, 1, 0, 1].map((index) => {
      const { database, organization } = companies[index]!;
      return database.transaction((tx) => applyChart(tx, organization, chart, new Date()));
    }),
  );
  expect(await companies[0]!.balance('till')).toBe(1_000n);
});

/** Resolves once some statement of the database waits for another transaction. */
async function blocked({ prisma }: Database): Promise<void> {
  for (;;) {
    const [row] = await prisma.$queryRaw<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (row && row.waiting > 0) return;
  }
}
