import fc from 'fast-check';
import { listenForAlarms } from '../../../../test/support/alarms';
import { customerEffect, outputOf, receiptEffect, scheduleEffect } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { MAIN_ACCOUNT } from '../../../../test/support/http-finance';
import { slowPropertyRuns } from '../../../../test/support/property-runs';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { SimulatedBooks } from '../../../../test/support/simulated-books';
import type { Fate } from '../../../../test/support/simulated-service';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import type { EffectResult, PlannedEffect } from '../../api/effects/effect';
import type { EffectInputs } from '../../api/effects/registry';

let database: Database;
let service: SimulatedBooks;
let finance: RemoteFinance;
/** Instalments of 30.00, 30.00 and 40.00, due in April, May and June. */
let schedules: string[];
const category = newId();

beforeAll(async () => {
  listenForAlarms();
  database = await openTestDatabase();
});
beforeEach(async () => {
  service = new SimulatedBooks();
  finance = await RemoteFinance.open(database, service);
  const customer = outputOf(await finance.apply(customerEffect('customer/1'))).id ?? '';
  const instalments = [
    { value: '30.00', dueDate: '2026-04-10' },
    { value: '30.00', dueDate: '2026-05-10' },
    { value: '40.00', dueDate: '2026-06-10' },
  ];
  schedules = outputOf(await finance.apply(scheduleEffect('order/1', { customer, instalments }))).all ?? [];
  finance.pass(10 * 60_000);
  service.sent = 0;
});
afterAll(() => database.close());

function writeOff(input: Partial<EffectInputs['credit-schedule.write-off']> = {}): PlannedEffect {
  return {
    key: 'write-off/o/1',
    operation: 'credit-schedule.write-off',
    ...(input.value !== undefined && { amount: input.value }),
    input: {
      ...{ schedules, account: MAIN_ACCOUNT, category, date: '2026-03-12', description: 'Cancelled' },
      ...{ reference: 'o/1', ...input },
    },
  };
}

const open = () => service.schedules.map(({ openCents }) => openCents);
const paid = () => service.payments.map(({ cents }) => cents);
const received = () => service.receipts.reduce((sum, { cents }) => sum + cents, 0);

it('registers a receipt for each schedule, newest first, and a payment of their sum, once for its key', async () => {
  const first = await finance.apply(writeOff());
  expect(first).toMatchObject({ state: 'applied', attention: [], output: { id: service.payments[0]?.id } });
  expect(await finance.apply(writeOff())).toMatchObject({ state: 'existing', output: outputOf(first) });
  expect(service.receipts).toEqual([
    { scheduleId: schedules[2], identifier: 'o/1', cents: 4_000 },
    { scheduleId: schedules[1], identifier: 'o/1', cents: 3_000 },
    { scheduleId: schedules[0], identifier: 'o/1', cents: 3_000 },
  ]);
  expect(service.payments).toMatchObject([{ accountId: MAIN_ACCOUNT, cents: 10_000, reference: 'o/1' }]);
});

it('gives up at most its value', async () => {
  await finance.apply(writeOff({ value: '55.00' }));
  expect(open()).toEqual([3_000, 1_500, 0]);
  expect(paid()).toEqual([5_500]);
});

it('sends nothing where nothing is open', async () => {
  for (const schedule of service.schedules) schedule.openCents = 0;
  expect(await finance.apply(writeOff())).toEqual({ state: 'existing', output: { all: [] }, attention: [] });
  expect(service.sent).toBe(0);
});

it('goes on with the same figures after a crash in the middle', async () => {
  service.fates.push('succeeded', 'killed-applied');
  const killed = new Promise<void>((resolve) => (service.killed = resolve));
  void finance.apply(writeOff());
  await killed;
  expect(open()).toEqual([3_000, 0, 0]);
  await finance.laterOn();
  expect(await finance.apply(writeOff())).toMatchObject({ state: 'applied' });
  expect([open(), paid(), received()]).toEqual([[0, 0, 0], [10_000], 10_000]);
});

it('decides anew on what others settled meanwhile, and pays what the receipts come to', async () => {
  service.fates.push('succeeded', 'not-sent');
  expect(await finance.apply(writeOff())).toMatchObject({ state: 'pending' });
  const [first, second] = service.schedules;
  if (first) first.openCents = 500;
  if (second) second.openCents = 1_000;
  finance.pass(10 * 60_000);
  expect(await finance.apply(writeOff())).toMatchObject({ state: 'applied', attention: [] });
  expect([open(), paid(), received()]).toEqual([[0, 0, 0], [5_500], 5_500]);
});

it('leaves a payment whose outcome nobody knows to a person, and is whole when it is adopted', async () => {
  service.fates.push('succeeded', 'succeeded', 'succeeded', 'unknown-applied');
  expect(await finance.apply(writeOff())).toMatchObject({ state: 'pending' });
  await finance.laterOn();
  expect(await finance.apply(writeOff())).toMatchObject({ state: 'refused', code: 'effect-unknown' });
  const call = (await finance.rows()).find(({ operation }) => operation === 'payments.register');
  const [payment] = service.payments;
  await database.transaction((tx) =>
    finance.decisions.adopt(tx, finance.organization.id, call?.id ?? '', payment?.id, 'it is there'),
  );
  expect(await finance.apply(writeOff())).toMatchObject({ state: 'applied', output: { id: payment?.id } });
  expect([paid(), received()]).toEqual([[10_000], 10_000]);
});

it('is refused where the service refuses the payment, and makes it alone, as it was corrected, when it is asked for again', async () => {
  service.fates.push('succeeded', 'succeeded', 'succeeded', 'refused');
  expect(await finance.apply(writeOff())).toMatchObject({ state: 'refused' });
  const corrected = newId();
  expect(await finance.apply(writeOff({ category: corrected }))).toMatchObject({ state: 'applied' });
  expect(service.payments).toMatchObject([{ categoryId: corrected, accountId: MAIN_ACCOUNT }]);
  expect([paid(), received()]).toEqual([[10_000], 10_000]);
});

it.each([
  ['a category by its code', { category: '2.1.06' }],
  ['no value', { value: '0.00' }],
  ['a schedule that Ponte did not make', { schedules: [newId()] }],
])('is refused before anything is sent for %s', async (_what, input) => {
  expect(await finance.apply(writeOff(input))).toMatchObject({ state: 'refused' });
  expect(service.sent).toBe(0);
});

describe('what is paid after it', () => {
  const incomeCategory = newId();
  const late = (value: string, category = incomeCategory): PlannedEffect => {
    const afterWriteOff = { key: 'write-off/o/1', category, description: 'Paid after it was cancelled' };
    return receiptEffect('p/1', { schedules, value, account: MAIN_ACCOUNT, afterWriteOff });
  };

  it('settles what is left, and is income for what was written off', async () => {
    await finance.apply(writeOff({ value: '60.00' }));
    expect(await finance.apply(late('75.00'))).toMatchObject({ state: 'applied', attention: [] });
    expect(await finance.apply(late('75.00'))).toMatchObject({ state: 'existing', attention: [] });
    expect([open(), received()]).toEqual([[0, 0, 0], 10_000]);
    expect(service.incomes).toMatchObject([
      { accountId: MAIN_ACCOUNT, cents: 3_500, reference: 'p/1', categoryId: incomeCategory },
    ]);
  });

  it('is income as a whole where it is known to be late, before it was written off too', async () => {
    const known = late('100.00');
    const afterWriteOff = { key: 'write-off/o/1', late: true, description: 'Paid after it was cancelled' };
    await finance.apply({ ...known, input: { ...known.input, afterWriteOff } } as PlannedEffect);
    await finance.apply(writeOff());
    expect([open(), paid(), received()]).toEqual([[0, 0, 0], [10_000], 10_000]);
    expect(service.incomes).toMatchObject([{ cents: 10_000, reference: 'p/1' }]);
    expect(await finance.apply(known)).toMatchObject({ state: 'existing', attention: [] });
  });

  it('is left to a person where nothing was written off', async () => {
    await finance.apply(receiptEffect('p/0', { schedules, value: '100.00', account: MAIN_ACCOUNT }));
    await finance.apply(writeOff());
    expect(await finance.apply(late('5.00'))).toMatchObject({
      state: 'applied',
      attention: [{ code: 'payment-left-over', amount: '5.00' }],
    });
    expect(service.incomes).toEqual([]);
  });

  it('is made once whatever becomes of the call, and as it was corrected where it was refused', async () => {
    await finance.apply(writeOff({ value: '60.00' }));
    // One receipt for each of the two schedules that are open, and then the income.
    service.fates.push('succeeded', 'succeeded', 'refused');
    expect(await finance.apply(late('100.00'))).toMatchObject({ state: 'refused' });
    const corrected = newId();
    service.fates.push('not-sent');
    expect(await finance.apply(late('100.00', corrected))).toMatchObject({ state: 'pending' });
    await finance.laterOn();
    expect(await finance.apply(late('100.00', corrected))).toMatchObject({ state: 'applied', attention: [] });
    expect([open(), received()]).toEqual([[0, 0, 0], 10_000]);
    expect(service.incomes).toMatchObject([{ cents: 6_000, categoryId: corrected }]);
  });
});

/** Asks until there is an end, as a delivery is worked on again. */
async function insist(effect: PlannedEffect): Promise<EffectResult> {
  for (let tries = 1; tries <= 12; tries += 1) {
    const result = await finance.apply(effect);
    if (result.state !== 'pending' && result.state !== 'refused') return result;
    if (result.state === 'refused' && result.code === 'effect-unknown') return result;
    await finance.laterOn();
  }
  throw new Error('it came to no end');
}

it('never receives what it does not pay, whatever becomes of its calls', async () => {
  const fate = fc.constantFrom<Fate>(
    'succeeded',
    'refused',
    'not-sent',
    'unknown-applied',
    'unknown-not-applied',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { maxLength: 6 }), async (fates) => {
      const run = newId();
      const customer = outputOf(await finance.apply(customerEffect(`customer/${run}`))).id ?? '';
      const made = outputOf(
        await finance.apply(
          scheduleEffect(`order/${run}`, {
            customer,
            instalments: [
              { value: '60.00', dueDate: '2026-04-10' },
              { value: '40.00', dueDate: '2026-05-10' },
            ],
          }),
        ),
      );
      finance.pass(10 * 60_000);
      const [beforeReceived, beforePaid] = [received(), paid().length];
      service.fates.splice(0, Infinity, ...fates);
      const result = await insist({ ...writeOff({ schedules: made.all ?? [], reference: run }), key: run });
      service.fates.length = 0;
      expect(received() - beforeReceived).toBe(10_000);
      // An unknown payment is a person's to decide: it is never sent a second time.
      const payments = paid().slice(beforePaid);
      expect(payments).toEqual(result.state === 'applied' || payments.length > 0 ? [10_000] : []);
    }),
    { numRuns: slowPropertyRuns(6) },
  );
});
