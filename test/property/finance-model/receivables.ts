import fc from 'fast-check';
import { newId } from '../../../src/kernel/identifier';
import { later } from './books';
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
    const ids = isSplit ? await instalmentsOf(world, made.value) : [made.value];
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
async function instalmentsOf({ database }: World, first: string): Promise<string[]> {
  const rows = await database.prisma.schedule.findMany({
    where: { groupId: first },
    orderBy: { instalment: 'asc' },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
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

export const receive = commandOf(Receive, {
  schedule: which,
  account: which,
  date: near,
  amount: fc.constantFrom('part', 'part', 'all', 'all', 'more'),
  cents,
  payingType: fc.constantFrom(null, null, 'boleto', 'close', 'Close'),
  wrong: rarely(8, 'unknown schedule', 'payable', 'another in the body', 'unknown account'),
});
