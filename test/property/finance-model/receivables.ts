import fc from 'fast-check';
import type { CreditScheduleShape } from '../../../src/finance/api/shapes/schedules.dto';
import { newId } from '../../../src/kernel/identifier';
import { later, monthsLater } from './books';
import { cents, commandOf, near, pick, rarely, which, type Command } from './command';
import { day, money, refusal, wire, type World } from './world';

/** Operation 2, without recurrence. */
class CreateCreditSchedule implements Command {
  constructor(
    readonly fields: {
      customer: number;
      category: number | null;
      costCenter: number | null;
      /** One: no instalments. */
      parts: number[];
      due: number;
      scheduled: number | null;
      isFlagged: boolean;
      reference: string | null;
      wrong: 'right' | 'stakeholder' | 'category' | 'outgoing category' | 'cost center' | 'sum';
      by: number;
    },
  ) {}

  async perform(world: World): Promise<void> {
    const { parts, due, scheduled, isFlagged, reference, wrong, by } = this.fields;
    const { books, organization } = world;
    const stakeholder = pick(books.customers, this.fields.customer);
    if (!stakeholder) return;
    const value = parts.reduce((total, part) => total + part, 0);
    const isSplit = parts.length > 1;
    const mismatch = wrong === 'sum' && isSplit;
    const wanted = wrong === 'outgoing category' ? 'out' : 'in';
    const ofType = books.categories.filter(({ type }) => type === wanted);
    const category =
      this.fields.category === null && wrong !== 'outgoing category'
        ? undefined
        : pick(ofType, this.fields.category ?? 0);
    const costCenter =
      this.fields.costCenter === null ? undefined : pick(books.costCenters, this.fields.costCenter);
    const first = later(books.today, due);
    const dues = parts.map((_part, index) => later(first, 30 * index));
    const shape = {
      stakeholderId: wrong === 'stakeholder' ? newId() : stakeholder.id,
      description: 'Order',
      reference,
      value: money(mismatch ? value + by : value),
      scheduleDate: scheduled === null ? undefined : day(later(books.today, scheduled)),
      dueDate: day(first),
      categoryId: wrong === 'category' ? newId() : category?.id,
      costCenterId: wrong === 'cost center' ? newId() : costCenter?.id,
      isFlagged,
      instalment: isSplit
        ? parts.map((part, index) => ({ value: money(part), dueDate: day(dues[index]!) }))
        : undefined,
    };
    const refusals = mismatch
      ? [refusal('instalments-mismatch', { difference: wire(by) })]
      : wrong !== 'right' && wrong !== 'sum'
        ? [refusal('validation-failed')]
        : [];
    const made = await world.expect(refusals, () => world.schedules.createCredit(organization, shape));
    if (!made) return;
    const ids = isSplit ? await groupOf(world, made.value) : [made.value];
    ids.forEach((id, index) => {
      books.owe({
        id,
        kind: 'credit',
        stakeholder,
        description: isSplit ? `Order - ${index + 1}/${parts.length}` : 'Order',
        reference: reference ?? undefined,
        value: parts[index]!,
        scheduleDate: scheduled === null ? books.today : later(books.today, scheduled),
        dueDate: dues[index]!,
        category,
        costCenter,
        isFlagged,
      });
    });
  }
}

/** The interface answers with the first one alone; the lists are compared with all of them later. */
async function groupOf({ database }: World, first: string): Promise<string[]> {
  const rows = await database.prisma.schedule.findMany({
    where: { groupId: first },
    orderBy: [{ occurrence: 'asc' }, { instalment: 'asc' }],
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

type Interval = 'day' | 'week' | 'month' | 'year';

/** Operation 2, with recurrence. */
class CreateRecurrence implements Command {
  constructor(
    readonly fields: {
      customer: number;
      value: number;
      due: number;
      every: [intervalType: Interval, interval: number];
      type: 'ByOccurrences' | 'ByDate' | 'Undefined' | null;
      occurrences: number;
      /** Days after the first due date. */
      lasts: number;
      wrong: 'right' | 'stakeholder' | 'no limit' | 'limit out of range' | 'instalments';
    },
  ) {}

  async perform(world: World): Promise<void> {
    const { value, due, type, wrong } = this.fields;
    const { books, organization } = world;
    const stakeholder = pick(books.customers, this.fields.customer);
    if (!stakeholder) return;
    const first = later(books.today, due);
    const shape = {
      stakeholderId: wrong === 'stakeholder' ? newId() : stakeholder.id,
      description: 'Rent',
      value: money(value),
      dueDate: day(first),
      recurrence: this.recurrence(first),
      instalment: wrong === 'instalments' ? [{ value: money(value), dueDate: day(first) }] : undefined,
    };
    const hasLimit = type === 'ByOccurrences' || type === 'ByDate';
    const isRefused = wrong === 'stakeholder' || wrong === 'instalments' || (wrong !== 'right' && hasLimit);
    const made = await world.expect(isRefused ? [refusal('validation-failed')] : [], () =>
      world.schedules.createCredit(organization, shape),
    );
    if (!made) return;
    const ids = await groupOf(world, made.value);
    expect([ids.length, ids[0]]).toEqual([this.dates(first, books.today).length, made.value]);
    this.dates(first, books.today).forEach((dueDate, index) => {
      books.owe({
        id: ids[index]!,
        kind: 'credit',
        stakeholder,
        description: 'Rent',
        value,
        scheduleDate: books.today,
        dueDate,
        isFlagged: false,
      });
    });
  }

  private recurrence(first: string): NonNullable<CreditScheduleShape['recurrence']> {
    const { every, type, occurrences, lasts, wrong } = this.fields;
    const [intervalType, interval] = every;
    if (wrong === 'no limit') return { intervalType, interval, type };
    return wrong === 'limit out of range'
      ? { intervalType, interval, type, occurrences: 361, endDate: day(later(first, -1)) }
      : { intervalType, interval, type, occurrences, endDate: day(later(first, lasts)) };
  }

  /** Every due date within the limits and within twelve months from today; the first one always. */
  private dates(first: string, today: string): string[] {
    const { every, type, occurrences, lasts } = this.fields;
    const dates = [first];
    for (;;) {
      const next = dateAfter(first, every, dates.length);
      if (next > monthsLater(today, 12)) return dates;
      if (type === 'ByOccurrences' && dates.length === occurrences) return dates;
      if (type === 'ByDate' && next > later(first, lasts)) return dates;
      dates.push(next);
    }
  }
}

/** The date `times` intervals after the first. */
function dateAfter(first: string, [type, interval]: [Interval, number], times: number): string {
  const count = interval * times;
  if (type === 'day') return later(first, count);
  if (type === 'week') return later(first, 7 * count);
  return monthsLater(first, type === 'month' ? count : 12 * count);
}

/** Operation 5. */
class Receive implements Command {
  constructor(
    readonly fields: {
      schedule: number;
      account: number;
      date: number;
      /** Of what is open; `more` is a cent or so too much. */
      amount: 'part' | 'all' | 'more';
      cents: number;
      payingType: 'close' | 'Close' | 'boleto' | null;
      wrong: 'right' | 'unknown schedule' | 'payable' | 'another in the body' | 'unknown account';
    },
  ) {}

  async perform(world: World): Promise<void> {
    const { amount, payingType, wrong } = this.fields;
    const { books } = world;
    const receivables = books.schedules.filter(({ kind }) => kind === 'credit');
    const open = receivables.filter((schedule) => schedule.open > 0);
    // Mostly what is open; a paid one now and then.
    const schedule = pick(this.fields.schedule % 8 === 0 ? receivables : open, this.fields.schedule);
    const account = pick(books.accounts, this.fields.account);
    if (!schedule || !account) return;
    const value = this.valueOf(schedule.open);
    const date = later(books.today, this.fields.date);
    const close = payingType?.toLowerCase() === 'close';
    const payable = pick(
      books.schedules.filter(({ kind }) => kind === 'debit'),
      this.fields.schedule,
    );
    const id =
      { 'unknown schedule': newId(), payable: payable?.id ?? newId() }[wrong as string] ?? schedule.id;
    const refusals = [
      ...(id === schedule.id ? [] : [refusal('not-found')]),
      ...(wrong === 'another in the body' || wrong === 'unknown account'
        ? [refusal('validation-failed')]
        : []),
      ...(date < account.openedOn ? [refusal('before-opening-date')] : []),
      ...(value > schedule.open ? [refusal('exceeds-open-value', { openValue: wire(schedule.open) })] : []),
    ];
    const shape = {
      scheduleId: wrong === 'another in the body' ? newId() : amount === 'all' ? id : undefined,
      accountId: wrong === 'unknown account' ? newId() : account.id,
      date: day(date),
      value: money(value),
      payingType,
    };
    const done = await world.expect(refusals, () =>
      world.receipts.registerForSchedule(world.organization, id, shape),
    );
    if (done) books.settle(schedule, account, { value, date, close });
  }

  private valueOf(open: number): number {
    const { amount, cents: extra } = this.fields;
    if (amount === 'all') return Math.max(1, open);
    return amount === 'more' ? open + 1 + (extra % 10) : 1 + (extra % Math.max(1, open));
  }
}

export const createCreditSchedule = commandOf(CreateCreditSchedule, {
  customer: which,
  category: fc.option(which),
  costCenter: fc.option(which),
  parts: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(cents) },
    { weight: 1, arbitrary: fc.array(cents, { minLength: 2, maxLength: 4 }) },
  ),
  due: near,
  scheduled: fc.option(near),
  isFlagged: fc.boolean(),
  reference: fc.option(fc.constantFrom('R-1', 'R-2')),
  wrong: rarely(6, 'stakeholder', 'category', 'outgoing category', 'cost center', 'sum'),
  by: fc.constantFrom(-1, 1, 100),
});

export const createRecurrence = commandOf(CreateRecurrence, {
  customer: which,
  value: cents,
  due: near,
  // Far apart, so that no company's year is filled by one of them.
  every: fc.oneof(
    fc.tuple(fc.constant('day' as const), fc.integer({ min: 50, max: 200 })),
    fc.tuple(fc.constant('week' as const), fc.integer({ min: 7, max: 30 })),
    fc.tuple(fc.constant('month' as const), fc.integer({ min: 1, max: 5 })),
    fc.tuple(fc.constant('year' as const), fc.integer({ min: 1, max: 2 })),
  ),
  type: fc.constantFrom('ByOccurrences', 'ByOccurrences', 'ByDate', 'ByDate', 'Undefined', null),
  occurrences: fc.integer({ min: 1, max: 6 }),
  lasts: fc.integer({ min: 0, max: 300 }),
  wrong: rarely(6, 'stakeholder', 'no limit', 'limit out of range', 'instalments'),
});

export const receive = commandOf(Receive, {
  schedule: which,
  account: which,
  date: near,
  amount: fc.constantFrom('part', 'part', 'all', 'all', 'more'),
  cents,
  payingType: fc.constantFrom(null, null, 'boleto', 'close', 'Close'),
  wrong: rarely(8, 'unknown schedule', 'payable', 'another in the body', 'unknown account'),
});
