import fc from 'fast-check';
import type { ListRequest } from '../../../src/finance/api/shapes/lists.dto';
import { newId } from '../../../src/kernel/identifier';
import { Problem } from '../../../src/kernel/problem';
import type { ModelAccount, ModelCostCenter, ModelSchedule, ModelStakeholder } from './books';
import { commandOf, pick, rarely, which, type Command } from './command';
import {
  accountFilters,
  costCenterFilters,
  overdueFilters,
  scheduleFilters,
  supplierFilters,
  type Filter,
  type Operand,
} from './filters';
import { refusal, wire, wireDay, type World } from './world';

/** A list of the interface, and what the model says that it shows. */
interface ListOf<Row> {
  /** Operation 13 has an array instead of pages, and operation 18 the first record alone. */
  form: 'pages' | 'array' | 'one';
  read: (request: ListRequest) => Promise<{ items: unknown[]; count?: number; next?: string }>;
  /** All records, in the order that the list promises. */
  rows: () => readonly Row[];
  view: (row: Row) => unknown;
  filters: (operand: Operand) => Filter<Row>[];
}

/** What one request must find: everything that matches, before paging. */
interface Listed {
  form: ListOf<unknown>['form'];
  read: ListOf<unknown>['read'];
  /** The number picks a `$filter`; null asks for all. */
  expect: (number: number | null, today: string) => { filter?: string; items: unknown[] };
}

/** The lists of the interface. */
export function listsOf(world: World): Record<string, Listed> {
  return {
    accounts: listed(accounts(world)),
    balances: listed(balances(world)),
    'cost centers': listed(costCenters(world)),
    payables: listed(payables(world)),
    'overdue receivables': listed(overdue(world)),
    'next payable': listed(nextPayable(world)),
    suppliers: listed(suppliers(world)),
    ...Object.fromEntries(
      world.books.customers.map(({ id }) => [
        `schedules of customer ${id}`,
        listed(customerSchedules(world, id)),
      ]),
    ),
  };
}

function listed<Row>({ form, read, rows, view, filters }: ListOf<Row>): Listed {
  return {
    form,
    read,
    expect: (number, today) => {
      const filter = number === null ? undefined : pick(filters({ number, today }), number);
      const found = filter ? rows().filter(filter.matches) : rows();
      const shown = form === 'one' ? found.slice(0, 1) : found;
      return { filter: filter?.text, items: shown.map(view) };
    },
  };
}

/** A part of one of the lists is read, with a filter or without. */
class ReadList implements Command {
  constructor(readonly fields: { list: number; top: number; skip: number; filter: number | null }) {}

  async perform(world: World): Promise<void> {
    const [name, list] = pick(Object.entries(listsOf(world)), this.fields.list) ?? [];
    if (!list) return;
    const { top, skip } = this.fields;
    const { filter, items } = list.expect(this.fields.filter, world.books.today);
    const { items: found, count, next } = await list.read({ top, skip, filter });
    const isPaged = list.form === 'pages';
    expect({ name, filter, found, count, goesOn: next !== undefined }).toEqual({
      name,
      filter,
      found: items.slice(skip, skip + top),
      count: isPaged ? items.length : undefined,
      goesOn: isPaged && top > 0 && skip + top < items.length,
    });
  }
}

/** A walk has no more pages than this. */
const MOST_PAGES = 8;

/** A list is read to its end, from one small page to the next, by the tokens of `nextPageLink`. */
class WalkList implements Command {
  constructor(readonly fields: { list: number; top: number; skip: number; filter: number | null }) {}

  async perform(world: World): Promise<void> {
    const paged = Object.entries(listsOf(world)).filter(([, { form }]) => form === 'pages');
    const [name, list] = pick(paged, this.fields.list)!;
    const { skip } = this.fields;
    const { filter, items } = list.expect(this.fields.filter, world.books.today);
    const top = Math.max(this.fields.top, Math.ceil(items.length / MOST_PAGES));
    const sizes: number[] = [];
    const found: unknown[] = [];
    let part = await list.read({ top, skip, filter });
    for (;;) {
      expect(part.count).toBe(items.length);
      sizes.push(part.items.length);
      found.push(...part.items);
      if (part.next === undefined) break;
      part = await list.read({ top, skip: 0, filter, skipToken: part.next });
    }
    expect({ name, filter, found }).toEqual({ name, filter, found: items.slice(skip) });
    // Every page but the last is full, and none is empty behind another.
    expect(sizes.slice(0, -1).every((size) => size === top)).toBe(true);
    expect(sizes.length === 1 || sizes.at(-1)! > 0).toBe(true);
  }
}

/** Operation 17. */
class ReadCategory implements Command {
  constructor(
    readonly fields: { category: number; wrong: 'right' | 'unknown' | 'cost center' | 'no UUID' },
  ) {}

  async perform(world: World): Promise<void> {
    const { wrong } = this.fields;
    const { books, organization } = world;
    const category = pick(books.categories, this.fields.category)!;
    const center = pick(books.costCenters, this.fields.category)!;
    const id = { right: category.id, unknown: newId(), 'cost center': center.id, 'no UUID': '2.1' }[wrong];
    const read = await world.expect(wrong === 'right' ? [] : [refusal('not-found')], () =>
      world.categories.get(organization, id),
    );
    if (read) expect(read.value).toEqual(category);
  }
}

const part = {
  list: which,
  filter: fc.option(which),
  skip: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 })),
};

export const readList = commandOf(ReadList, { ...part, top: fc.integer({ min: 0, max: 20 }) });

export const walkList = commandOf(WalkList, { ...part, top: fc.integer({ min: 1, max: 9 }) });

export const readCategory = commandOf(ReadCategory, {
  category: which,
  wrong: rarely(4, 'unknown', 'cost center', 'no UUID'),
});

/** Reads a whole list, and what it must be. */
export async function readAll(
  { read, expect: expected }: Listed,
  today: string,
): Promise<{ found: unknown[]; expected: unknown[] }> {
  const found: unknown[] = [];
  const top = 500;
  for (;;) {
    const { items } = await read({ top, skip: found.length });
    found.push(...items);
    if (items.length < top) return { found, expected: expected(null, today).items };
  }
}

function accounts({ accounts: port, organization, books }: World): ListOf<ModelAccount> {
  return {
    form: 'pages',
    read: (request) => port.list(organization, request),
    rows: () => books.accounts,
    view: ({ id, name, openBalance, openedOn }) => ({
      id,
      name,
      openBalance: wire(openBalance),
      dateOfOpenBalance: wireDay(openedOn),
      isVirtual: false,
    }),
    filters: (operand) =>
      accountFilters(operand, { name: 'name', amount: 'openBalance' }, ({ openBalance }) => openBalance),
  };
}

function balances({ accounts: port, organization, books }: World): ListOf<ModelAccount> {
  return {
    form: 'pages',
    read: (request) => port.listBalances(organization, request),
    rows: () => books.accounts,
    view: ({ id, name, balance }) => ({
      accountId: id,
      accountName: name,
      balance: wire(balance),
      bank: {},
    }),
    filters: (operand) =>
      accountFilters(operand, { name: 'accountName', amount: 'balance' }, ({ balance }) => balance),
  };
}

function costCenters({ costCenters: port, organization, books }: World): ListOf<ModelCostCenter> {
  return {
    form: 'pages',
    read: (request) => port.list(organization, request),
    rows: () => books.costCenters,
    view: ({ id, description, externalCode }) => ({
      costCenterId: id,
      description,
      ...(externalCode !== undefined && { externalCode }),
    }),
    filters: costCenterFilters,
  };
}

function customerSchedules(
  { schedules: port, organization, books }: World,
  customer: string,
): ListOf<ModelSchedule> {
  return {
    form: 'array',
    read: async (request) => ({ items: await port.listOfCustomer(organization, customer, request) }),
    rows: () => books.schedules.filter(({ stakeholder }) => stakeholder.id === customer).sort(byDueDate),
    view: (schedule) => fullView(schedule, books.today),
    filters: scheduleFilters,
  };
}

function payables({ schedules: port, organization, books }: World): ListOf<ModelSchedule> {
  return {
    form: 'pages',
    read: (request) => port.listDebit(organization, request),
    rows: () => books.schedules.filter(({ kind }) => kind === 'debit'),
    view: (schedule) => fullView(schedule, books.today),
    filters: scheduleFilters,
  };
}

function overdue({ schedules: port, organization, books }: World): ListOf<ModelSchedule> {
  const [main] = books.accounts;
  return {
    form: 'pages',
    read: async (request) => {
      const part = await port.listOverdueCredit(organization, request);
      // Of the identifier of an entry that is only expected, nothing but its stability is promised.
      return { ...part, items: part.items.map(({ entryId: _entryId, ...item }) => item) };
    },
    rows: () =>
      books.schedules
        .filter(({ kind, open, dueDate }) => kind === 'credit' && open > 0 && dueDate < books.today)
        .sort(byDueDate),
    view: ({ id, stakeholder, category, reference, dueDate, open, description, isFlagged }) => ({
      scheduleId: id,
      account: { id: main?.id, name: main?.name, isDeleted: false },
      stakeholder: { id: stakeholder.id, name: stakeholder.name, isDeleted: false },
      category: category ? { id: category.id, name: category.name, isDeleted: false } : {},
      date: wireDay(dueDate),
      value: wire(open),
      description,
      ...(reference !== undefined && { reference }),
      isReconciliated: false,
      isTransfer: false,
      isFlagged,
    }),
    filters: overdueFilters,
  };
}

/** Operation 18 as a list of one or none. */
function nextPayable({ schedules: port, organization, books }: World): ListOf<ModelSchedule> {
  return {
    form: 'one',
    read: async ({ top, skip, filter }) => {
      try {
        return { items: [await port.nextOpenDebit(organization, { filter })].slice(skip, skip + top) };
      } catch (error) {
        if (error instanceof Problem && error.code === 'no-open-schedule') return { items: [] };
        throw error;
      }
    },
    rows: () => books.schedules.filter(({ kind, open }) => kind === 'debit' && open > 0).sort(byDueDate),
    view: (schedule) => fullView(schedule, books.today),
    filters: scheduleFilters,
  };
}

function suppliers({ suppliers: port, organization, books }: World): ListOf<ModelStakeholder> {
  return {
    form: 'pages',
    read: async (request) => {
      const part = await port.list(organization, request);
      return { ...part, items: part.items.map(({ id, name }) => ({ id, name })) };
    },
    rows: () => books.suppliers,
    view: ({ id, name }) => ({ id, name }),
    filters: supplierFilters,
  };
}

function byDueDate(left: ModelSchedule, right: ModelSchedule): number {
  const [first, second] = [left, right].map(({ dueDate, id }) => `${dueDate} ${id}`);
  return first! < second! ? -1 : 1;
}

function fullView(schedule: ModelSchedule, today: string): object {
  const { stakeholder, category, costCenter, value, open, dueDate } = schedule;
  const isPaid = open === 0;
  return {
    scheduleId: schedule.id,
    description: schedule.description,
    ...(schedule.reference !== undefined && { reference: schedule.reference }),
    value: wire(value),
    openValue: wire(open),
    scheduleDate: wireDay(schedule.scheduleDate),
    accrualDate: wireDay(dueDate),
    dueDate: wireDay(dueDate),
    stakeholder: { id: stakeholder.id, name: stakeholder.name, isDeleted: false },
    category: category ? { id: category.id, name: category.name, isDeleted: false } : {},
    costCenter: costCenter
      ? { id: costCenter.id, description: costCenter.description, isDeleted: false }
      : {},
    isDued: !isPaid && dueDate < today,
    isPaid,
    isFlagged: schedule.isFlagged,
    isEntry: isPaid,
    type: schedule.kind === 'credit' ? 'Credit' : 'Debit',
  };
}
