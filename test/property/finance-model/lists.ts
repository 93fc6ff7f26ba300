import fc from 'fast-check';
import { Problem } from '../../../src/kernel/problem';
import type { ModelSchedule } from './books';
import { commandOf, pick, which, type Command } from './command';
import { wire, wireDay, type World } from './world';

/** What a list reads, and what it must be: all of it. */
interface Listed {
  read: (top: number, skip: number) => Promise<unknown[]>;
  expected: unknown[];
}

/** The lists of the interface, in the order they promise. */
export function listsOf(world: World): Record<string, Listed> {
  return {
    accounts: accounts(world),
    balances: balances(world),
    'cost centers': costCenters(world),
    payables: payables(world),
    'overdue receivables': overdue(world),
    'next payable': nextPayable(world),
    suppliers: suppliers(world),
    ...Object.fromEntries(
      world.books.customers.map(({ id }) => [`schedules of customer ${id}`, customerSchedules(world, id)]),
    ),
  };
}

/** A part of one of the lists is read. */
class ReadList implements Command {
  constructor(readonly fields: { list: number; top: number; skip: number }) {}

  async perform(world: World): Promise<void> {
    const [name, list] = pick(Object.entries(listsOf(world)), this.fields.list) ?? [];
    if (!list) return;
    const { top, skip } = this.fields;
    expect({ [name!]: await list.read(top, skip) }).toEqual({
      [name!]: list.expected.slice(skip, skip + top),
    });
  }
}

export const readList = commandOf(ReadList, {
  list: which,
  top: fc.integer({ min: 0, max: 20 }),
  skip: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 })),
});

/** Reads a whole list, page by page. */
export async function readAll({ read }: Listed): Promise<unknown[]> {
  const items: unknown[] = [];
  const top = 500;
  for (;;) {
    const part = await read(top, items.length);
    items.push(...part);
    if (part.length < top) return items;
  }
}

function accounts({ accounts: port, organization, books }: World): Listed {
  return {
    read: async (top, skip) => counted(await port.list(organization, { top, skip }), books.accounts.length),
    expected: books.accounts.map(({ id, name, openBalance, openedOn }) => ({
      id,
      name,
      openBalance: wire(openBalance),
      dateOfOpenBalance: wireDay(openedOn),
      isVirtual: false,
    })),
  };
}

function balances({ accounts: port, organization, books }: World): Listed {
  return {
    read: async (top, skip) =>
      counted(await port.listBalances(organization, { top, skip }), books.accounts.length),
    expected: books.accounts.map(({ id, name, balance }) => ({
      accountId: id,
      accountName: name,
      balance: wire(balance),
      bank: {},
    })),
  };
}

function costCenters({ costCenters: port, organization, books }: World): Listed {
  return {
    read: async (top, skip) =>
      counted(await port.list(organization, { top, skip }), books.costCenters.length),
    expected: books.costCenters.map(({ id, description, externalCode }) => ({
      costCenterId: id,
      description,
      ...(externalCode !== undefined && { externalCode }),
    })),
  };
}

function customerSchedules({ schedules: port, organization, books }: World, customer: string): Listed {
  return {
    read: (top, skip) => port.listOfCustomer(organization, customer, { top, skip }),
    expected: books.schedules
      .filter(({ stakeholder }) => stakeholder.id === customer)
      .sort(byDueDate)
      .map((schedule) => fullView(schedule, books.today)),
  };
}

function payables({ schedules: port, organization, books }: World): Listed {
  const all = books.schedules.filter(({ kind }) => kind === 'debit');
  return {
    read: async (top, skip) => counted(await port.listDebit(organization, { top, skip }), all.length),
    expected: all.map((schedule) => fullView(schedule, books.today)),
  };
}

function overdue({ schedules: port, organization, books }: World): Listed {
  const all = books.schedules.filter(
    ({ kind, open, dueDate }) => kind === 'credit' && open > 0 && dueDate < books.today,
  );
  const [main] = books.accounts;
  return {
    read: async (top, skip) => {
      const items = counted(await port.listOverdueCredit(organization, { top, skip }), all.length);
      // Of the identifier of an entry that is only expected, nothing but its stability is promised.
      return items.map(({ entryId: _entryId, ...item }) => item);
    },
    expected: all.map((schedule) => {
      const { stakeholder, category, reference } = schedule;
      return {
        scheduleId: schedule.id,
        account: { id: main?.id, name: main?.name, isDeleted: false },
        stakeholder: { id: stakeholder.id, name: stakeholder.name, isDeleted: false },
        category: category ? { id: category.id, name: category.name, isDeleted: false } : {},
        date: wireDay(schedule.dueDate),
        value: wire(schedule.open),
        description: schedule.description,
        ...(reference !== undefined && { reference }),
        isReconciliated: false,
        isTransfer: false,
        isFlagged: schedule.isFlagged,
      };
    }),
  };
}

/** Operation 18 as a list of one or none. */
function nextPayable({ schedules: port, organization, books }: World): Listed {
  const open = books.schedules.filter((schedule) => schedule.kind === 'debit' && schedule.open > 0);
  const first = open.sort(byDueDate).slice(0, 1);
  return {
    read: async (top, skip) => {
      try {
        return [await port.nextOpenDebit(organization, {})].slice(skip, skip + top);
      } catch (error) {
        if (error instanceof Problem && error.code === 'no-open-schedule') return [];
        throw error;
      }
    },
    expected: first.map((schedule) => fullView(schedule, books.today)),
  };
}

function suppliers({ suppliers: port, organization, books }: World): Listed {
  return {
    read: async (top, skip) => {
      const part = await port.list(organization, { top, skip });
      return counted(part, books.suppliers.length).map(({ id, name }) => ({ id, name }));
    },
    expected: books.suppliers.map(({ id, name }) => ({ id, name })),
  };
}

function counted<T>({ items, count }: { items: T[]; count: number }, expected: number): T[] {
  if (count !== expected) throw new Error(`counts ${count}; there are ${expected}`);
  return items;
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
