import fc from 'fast-check';
import { newId } from '../../../src/kernel/identifier';
import { later } from './books';
import { cents, commandOf, near, pick, rarely, which, type Command } from './command';
import { day, money, refusal, wire, type World } from './world';

/** Operations 3 and 4. */
class MoveDirectly implements Command {
  constructor(
    readonly fields: {
      kind: 'payment' | 'receipt';
      account: number;
      date: number;
      value: number;
      category: number | null;
      stakeholder: number | null;
      wrong: 'right' | 'account' | 'category' | 'category type' | 'stakeholder' | 'cost center';
    },
  ) {}

  async perform(world: World): Promise<void> {
    const { kind, value, wrong } = this.fields;
    const { books } = world;
    const account = pick(books.accounts, this.fields.account);
    if (!account) return;
    const date = later(books.today, this.fields.date);
    const type = (kind === 'receipt') === (wrong !== 'category type') ? 'in' : 'out';
    const ofType = books.categories.filter((category) => category.type === type);
    const category =
      this.fields.category === null && wrong !== 'category type'
        ? undefined
        : pick(ofType, this.fields.category ?? 0);
    const anyone = [...books.customers, ...books.suppliers];
    const stakeholder = this.fields.stakeholder === null ? undefined : pick(anyone, this.fields.stakeholder);
    const shape = {
      accountId: wrong === 'account' ? newId() : account.id,
      stakeholderId: wrong === 'stakeholder' ? newId() : stakeholder?.id,
      categoryId: wrong === 'category' ? newId() : category?.id,
      costCenterId: wrong === 'cost center' ? newId() : undefined,
      value: money(value),
      date: day(date),
    };
    const refusals = [
      ...(wrong === 'right' ? [] : [refusal('validation-failed')]),
      ...(date < account.openedOn ? [refusal('before-opening-date')] : []),
    ];
    const port = kind === 'receipt' ? world.receipts : world.payments;
    const done = await world.expect(refusals, () => port.register(world.organization, shape));
    if (done) books.moveDirectly(account, kind === 'receipt' ? value : -value, date);
  }
}

/** A payable, as the administration registers it. */
class CreateDebitSchedule implements Command {
  constructor(
    readonly fields: {
      supplier: number;
      category: number | null;
      value: number;
      due: number;
      isFlagged: boolean;
      wrong: 'right' | 'customer' | 'incoming category';
    },
  ) {}

  async perform(world: World): Promise<void> {
    const { value, due, isFlagged, wrong } = this.fields;
    const { books, database, organization } = world;
    const owed = wrong === 'customer' ? books.customers : books.suppliers;
    const stakeholder = pick(owed, this.fields.supplier);
    if (!stakeholder) return;
    const type = wrong === 'incoming category' ? 'in' : 'out';
    const category =
      this.fields.category === null && wrong !== 'incoming category'
        ? undefined
        : pick(
            books.categories.filter((each) => each.type === type),
            this.fields.category ?? 0,
          );
    const dueDate = later(books.today, due);
    const schedule = {
      stakeholderId: stakeholder.id,
      description: 'Bill',
      value: money(value),
      dueDate: day(dueDate),
      categoryId: category?.id,
      isFlagged,
    };
    const made = await world.expect(wrong === 'right' ? [] : [refusal('validation-failed')], () =>
      database.transaction((tx) => world.payables.create(tx, organization, schedule)),
    );
    if (!made) return;
    books.owe({
      id: made.value,
      kind: 'debit',
      stakeholder,
      description: 'Bill',
      value,
      scheduleDate: books.today,
      dueDate,
      category,
      isFlagged,
    });
  }
}

/** A payment of a payable, as the administration registers it. */
class PayDebitSchedule implements Command {
  constructor(
    readonly fields: {
      schedule: number;
      account: number;
      date: number;
      amount: 'part' | 'all' | 'more';
      cents: number;
      wrong: 'right' | 'unknown schedule' | 'receivable' | 'account';
    },
  ) {}

  async perform(world: World): Promise<void> {
    const { amount, wrong } = this.fields;
    const { books, database, organization } = world;
    const payables = books.schedules.filter(({ kind }) => kind === 'debit');
    const open = payables.filter((each) => each.open > 0);
    const schedule = pick(this.fields.schedule % 8 === 0 ? payables : open, this.fields.schedule);
    const account = pick(books.accounts, this.fields.account);
    if (!schedule || !account) return;
    const receivable = pick(
      books.schedules.filter(({ kind }) => kind === 'credit'),
      this.fields.schedule,
    );
    const id =
      { 'unknown schedule': newId(), receivable: receivable?.id ?? newId() }[wrong as string] ?? schedule.id;
    const date = later(books.today, this.fields.date);
    const least = Math.max(1, schedule.open);
    const value = { part: 1 + (this.fields.cents % least), all: least, more: schedule.open + 1 }[amount];
    const refusals = [
      ...(id === schedule.id ? [] : [refusal('not-found')]),
      ...(wrong === 'account' ? [refusal('validation-failed')] : []),
      ...(date < account.openedOn ? [refusal('before-opening-date')] : []),
      ...(value > schedule.open ? [refusal('exceeds-open-value', { openValue: wire(schedule.open) })] : []),
    ];
    const payment = {
      accountId: wrong === 'account' ? newId() : account.id,
      date: day(date),
      value: money(value),
    };
    const done = await world.expect(refusals, () =>
      database.transaction((tx) => world.payables.pay(tx, organization, id, payment)),
    );
    if (done) books.pay({ id: done.value, schedule, account, value, date });
  }
}

/** Operation 8, of payments that are there and of those that were taken back before. */
class RemovePayment implements Command {
  constructor(
    readonly fields: {
      payment: number;
      body: boolean;
      wrong: 'right' | 'unknown' | 'another schedule' | 'another in the body';
    },
  ) {}

  async perform(world: World): Promise<void> {
    const { body, wrong } = this.fields;
    const { books } = world;
    const payment = pick(books.payments, this.fields.payment);
    if (!payment) return;
    const paymentId = wrong === 'unknown' ? newId() : payment.id;
    const scheduleId = wrong === 'another schedule' ? newId() : payment.schedule.id;
    const isGone = payment.state === 'removed' || wrong === 'unknown' || wrong === 'another schedule';
    const refusals = [
      ...(isGone ? [refusal('not-found')] : []),
      ...(wrong === 'another in the body' ? [refusal('validation-failed')] : []),
    ];
    const shape =
      wrong === 'another in the body' ? { paymentId: newId() } : body ? { paymentId, scheduleId } : undefined;
    const done = await world.expect(refusals, () =>
      world.payments.remove(world.organization, scheduleId, paymentId, shape),
    );
    if (done) books.takeBack(payment);
  }
}

export const moveDirectly = commandOf(MoveDirectly, {
  kind: fc.constantFrom('payment', 'receipt'),
  account: which,
  date: near,
  value: cents,
  category: fc.option(which),
  stakeholder: fc.option(which),
  wrong: rarely(6, 'account', 'category', 'category type', 'stakeholder', 'cost center'),
});

export const createDebitSchedule = commandOf(CreateDebitSchedule, {
  supplier: which,
  category: fc.option(which),
  value: cents,
  due: near,
  isFlagged: fc.boolean(),
  wrong: rarely(6, 'customer', 'incoming category'),
});

export const payDebitSchedule = commandOf(PayDebitSchedule, {
  schedule: which,
  account: which,
  date: near,
  amount: fc.constantFrom('part', 'all', 'all', 'more'),
  cents,
  wrong: rarely(8, 'unknown schedule', 'receivable', 'account'),
});

export const removePayment = commandOf(RemovePayment, {
  payment: which,
  body: fc.boolean(),
  wrong: rarely(6, 'unknown', 'another schedule', 'another in the body'),
});
