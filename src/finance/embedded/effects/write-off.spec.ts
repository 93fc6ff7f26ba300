import fc from 'fast-check';
import { Company, outputOf, receiptEffect } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { UnreadChanges } from '../../../../test/support/feed-changes';
import { slowPropertyRuns } from '../../../../test/support/property-runs';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import type { PlannedEffect } from '../../api/effects/effect';
import type { EffectInputs } from '../../api/effects/registry';

let database: Database;
let company: Company;
/** Instalments of 30.00, 30.00 and 40.00, due in April, May and June. */
let schedules: string[];

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  company = await Company.found(database);
  schedules = await company.schedules({
    customer: await company.customer(),
    value: '100.00',
    instalments: [
      { value: '30.00', dueDate: '2026-04-10' },
      { value: '30.00', dueDate: '2026-05-10' },
      { value: '40.00', dueDate: '2026-06-10' },
    ],
  });
});
afterEach(() => company.verify());
afterAll(() => database.close());

function writeOff(
  key: string,
  input: Partial<EffectInputs['credit-schedule.write-off']> = {},
): PlannedEffect {
  return {
    key: `write-off/${key}`,
    operation: 'credit-schedule.write-off',
    ...(input.value !== undefined && { amount: input.value }),
    input: {
      ...{ schedules, account: 'main', category: '2.1.06', date: '2026-03-12', description: 'Cancelled' },
      ...{ reference: key, ...input },
    },
  };
}

function entries(kind: 'payment' | 'receipt') {
  const where = { organizationId: company.organization.id, kind };
  return database.prisma.entry.findMany({ where, orderBy: { id: 'asc' } });
}

it('settles what is open and takes the same sum off the account, once for its key', async () => {
  const [first] = await company.apply(writeOff('o/1'));
  const [again] = await company.apply(writeOff('o/1'));
  expect(first).toMatchObject({ state: 'applied', attention: [] });
  expect(again).toEqual({ ...first, state: 'existing' });
  expect(await company.open(schedules)).toEqual([0n, 0n, 0n]);
  expect(await company.balance()).toBe(0n);
  expect(await entries('payment')).toMatchObject([
    { id: outputOf(first).id, amountMinor: 10_000n, reference: 'o/1', description: 'Cancelled' },
  ]);
  const receipts = await entries('receipt');
  expect(receipts.map(({ id }) => id).toSorted()).toEqual(outputOf(first).all?.toSorted());
  expect(receipts.map(({ identifier }) => identifier)).toEqual(['o/1', 'o/1', 'o/1']);
});

it('gives up at most its value, those due last first', async () => {
  await company.apply(writeOff('o/1', { value: '55.00' }));
  expect(await company.open(schedules)).toEqual([3_000n, 1_500n, 0n]);
  expect(await company.balance()).toBe(0n);
});

it('gives up what a payment left', async () => {
  await company.apply(receiptEffect('p/1', { schedules, value: '45.00' }));
  await company.apply(writeOff('o/1', { value: '80.00' }));
  expect(await company.open(schedules)).toEqual([0n, 0n, 0n]);
  expect(await company.balance()).toBe(4_500n);
  expect(await entries('payment')).toMatchObject([{ amountMinor: 5_500n }]);
});

it('makes nothing where nothing is open, and leaves nothing to a person', async () => {
  await company.apply(receiptEffect('p/1', { schedules, value: '100.00' }));
  const [result] = await company.apply(writeOff('o/1'));
  expect(result).toEqual({ state: 'existing', output: { all: [] }, attention: [] });
  expect(await entries('payment')).toEqual([]);
});

it('takes one schedule as well, and sees what the same batch did to it', async () => {
  const [id = ''] = schedules;
  await company.apply(
    receiptEffect('p/1', { schedules: [id], value: '10.00' }),
    writeOff('a', { schedules: id }),
  );
  expect(await company.open(schedules)).toEqual([0n, 3_000n, 4_000n]);
  expect(await company.balance()).toBe(1_000n);
});

describe('what is paid after it', () => {
  const late = (value: string, category = '1.1.01'): PlannedEffect =>
    receiptEffect('p/9', {
      ...{ schedules, value },
      afterWriteOff: { key: 'write-off/o/1', category, description: 'Paid after it was cancelled' },
    });
  const incomes = async () => (await entries('receipt')).filter(({ reference }) => reference === 'p/9');

  it('settles what is left, and is income for what was written off, once for its key', async () => {
    await company.apply(writeOff('o/1', { value: '60.00' }));
    const feed = new UnreadChanges(database);
    await feed.next(company.organization.id);
    const [first] = await company.apply(late('75.00'));
    const [again] = await company.apply(late('75.00'));
    expect(first).toMatchObject({ state: 'applied', attention: [] });
    expect(again).toEqual({ ...first, state: 'existing' });
    expect(await company.open(schedules)).toEqual([0n, 0n, 0n]);
    expect(await company.balance()).toBe(7_500n);
    const [income, ...others] = await incomes();
    expect(others).toEqual([]);
    expect(income).toMatchObject({ amountMinor: 3_500n, description: 'Paid after it was cancelled' });
    expect(income?.categoryId).not.toBeNull();
    expect(outputOf(first).all).toContain(income?.id);
    expect(await feed.nextLines(company.organization.id)).toContain(
      `receipt.registered receipt/${income?.id}`,
    );
  });

  it('is income as a whole where it is known to be late, whether it was written off by then or not', async () => {
    const known = late('100.00');
    const afterWriteOff = { key: 'write-off/o/1', late: true, description: 'Paid after it was cancelled' };
    await company.apply({ ...known, input: { ...known.input, afterWriteOff } } as PlannedEffect);
    expect(await company.open(schedules)).toEqual([3_000n, 3_000n, 4_000n]);
    await company.apply(writeOff('o/1'));
    expect(await company.open(schedules)).toEqual([0n, 0n, 0n]);
    expect(await incomes()).toMatchObject([{ amountMinor: 10_000n }]);
    const [again] = await company.apply(known);
    expect(again).toMatchObject({ state: 'existing', attention: [] });
  });

  it('is seen in the batch that writes off', async () => {
    const results = await company.apply(writeOff('o/1'), late('20.00'));
    expect(results).toMatchObject([{ state: 'applied' }, { state: 'applied', attention: [] }]);
    expect(await company.balance()).toBe(2_000n);
  });

  it.each([
    ['nothing was written off', () => receiptEffect('p/1', { schedules, value: '100.00' })],
    ['nothing was open to be written off', () => writeOff('o/2')],
  ])('is left to a person where %s', async (_why, before) => {
    await company.apply(before());
    await company.apply(writeOff('o/1'));
    const [result] = await company.apply(late('5.00'));
    expect(result).toMatchObject({
      state: 'applied',
      attention: [{ code: 'payment-left-over', amount: '5.00' }],
    });
    expect(await incomes()).toEqual([]);
  });

  it('is refused where it cannot be booked, and can be tried again; a part that is booked stays', async () => {
    await company.apply(writeOff('o/1', { value: '60.00' }));
    const [part] = await company.apply(late('75.00', '9.9'));
    expect(part).toMatchObject({
      state: 'applied',
      attention: [{ amount: '35.00', detail: expect.stringContaining('there is no category 9.9') as string }],
    });
    const [refused] = await company.apply({ ...late('75.00', '9.9'), key: 'p/10' });
    expect(refused).toMatchObject({ state: 'refused', reason: 'there is no category 9.9' });
    const [repaired] = await company.apply({ ...late('75.00'), key: 'p/10' });
    expect(repaired).toMatchObject({ state: 'applied', attention: [] });
    expect(await company.balance()).toBe(11_500n);
  });
});

it('says so in the feed', async () => {
  const feed = new UnreadChanges(database);
  await feed.next(company.organization.id);
  const [result] = await company.apply(writeOff('o/1', { value: '40.00' }));
  const { id, all = [] } = outputOf(result);
  expect((await feed.nextLines(company.organization.id)).toSorted()).toEqual(
    [
      `payment.registered payment/${id}`,
      `receipt.registered receipt/${all[0]}`,
      `schedule.paid schedule/${schedules[2]}`,
    ].toSorted(),
  );
});

it('asks a person where a later event says another value, and changes nothing', async () => {
  await company.apply(writeOff('o/1', { value: '10.00' }));
  const [more] = await company.apply(writeOff('o/1', { value: '20.00' }));
  expect(more).toMatchObject({ state: 'existing', attention: [{ code: 'amount-differs', amount: '20.00' }] });
  expect(await company.open(schedules)).toEqual([3_000n, 3_000n, 3_000n]);
});

it('refuses each that does not fit for its own reason, and keeps the rest of the batch', async () => {
  const results = await company.apply(
    writeOff('1', { account: 'nowhere' }),
    writeOff('2', { category: '1.1.01' }),
    writeOff('3', { category: '9.9' }),
    writeOff('4', { date: '2019-12-31' }),
    writeOff('5', { value: '0.00' }),
    writeOff('6', { schedules: [newId()] }),
    writeOff('7', { costCenter: 'x' }),
    writeOff('8', { value: '1.00' }),
  );
  expect(results.map((result) => ('reason' in result ? result.reason : result.state))).toEqual([
    'there is no account with the code nowhere: one without a code is named by its UUID',
    'the category is for money that comes in',
    'there is no category 9.9',
    'the date 2019-12-31 is before 2020-01-01, when the account was opened',
    'the value must be more than 0',
    'The organization has no such credit schedule',
    'there is no cost center x',
    'applied',
  ]);
  expect(await company.open(schedules)).toEqual([3_000n, 3_000n, 3_900n]);
});

it('leaves the account where it was and never gives up more than is open, whatever comes in which order', async () => {
  const cents = fc.integer({ min: 1, max: 6_000 });
  const step = fc.record({ pay: fc.boolean(), cents });
  const steps = fc.array(step, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const ids = await company.schedules({ customer: await company.customer(), value: '100.00' });
      const run = newId();
      const before = await company.balance();
      let [open, received] = [10_000, 0];
      for (const [index, one] of list.entries()) {
        const input = { schedules: ids, value: (one.cents / 100).toFixed(2) };
        const key = `${run}/${index}`;
        await company.apply(one.pay ? receiptEffect(key, input) : writeOff(key, input));
        const moved = Math.min(open, one.cents);
        open -= moved;
        if (one.pay) received += moved;
      }
      expect(await company.open(ids)).toEqual([BigInt(open)]);
      expect((await company.balance()) - before).toBe(BigInt(received));
    }),
    { numRuns: slowPropertyRuns(15) },
  );
});
