import { NO_CATEGORY } from '../../src/finance/embedded/ledger/entry';
import { postEntries } from '../../src/finance/embedded/ledger/posting';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { newId } from '../../src/kernel/identifier';
import type { EXTENSIONS, OPERATIONS, OperationId } from '../../src/finance/api/operations/operations';
import { idOf, type FinanceClient } from './finance-client';

/** Operations that change something. */
export type WritingId = Exclude<
  (typeof OPERATIONS)[number] | (typeof EXTENSIONS)[number],
  { effect: 'read' }
>['id'] &
  OperationId;

/** A literal request below `/v1`. */
export interface WritingRequest {
  method: 'post' | 'put' | 'delete';
  path: string;
  json?: string;
  /** How many records there are of what it makes or takes back. */
  count(): Promise<number>;
}

/** An acceptable request of each writing operation, with what it needs made beforehand. */
export const WRITING_REQUESTS: Partial<
  Record<WritingId, (client: FinanceClient) => Promise<WritingRequest>>
> = {
  'customers.create': (client) =>
    Promise.resolve({
      method: 'post',
      path: '/customers',
      json: '{"name":"Lia Campos"}',
      count: () => client.testing.database.prisma.stakeholder.count({ where: ofCompany(client) }),
    }),
  'schedules.createCredit': async (client) => ({
    method: 'post',
    path: '/schedules/credit/FormatType=json',
    json: `{"stakeholderId":"${await client.company.customer()}","value":10,"dueDate":"2099-01-31"}`,
    count: () => client.testing.database.prisma.schedule.count({ where: ofCompany(client) }),
  }),
  'payments.register': (client) => direct(client, '/payments'),
  'receipts.register': (client) => direct(client, '/receipts'),
  'receipts.registerForSchedule': async (client) => {
    const [id] = await client.company.schedules({ customer: await client.company.customer() });
    const accountId = await client.idByCode('account', 'main');
    return {
      method: 'post',
      path: `/schedules/credit/${id}/receipts`,
      json: `{"accountId":"${accountId}","date":"2026-03-10","value":10}`,
      count: () => entries(client),
    };
  },
  'customers.update': async (client) => ({
    method: 'put',
    path: `/customers/${await client.company.customer()}`,
    json: '{"phone":"11 5555-0101"}',
    count: () => client.testing.database.prisma.stakeholder.count({ where: ofCompany(client) }),
  }),
  'costCenters.update': async (client) => ({
    method: 'put',
    path: `/costcenters/${await client.idByCode('costCenter', 'geral')}`,
    json: '{"description":"Matriz"}',
    count: () => client.testing.database.prisma.costCenter.count({ where: ofCompany(client) }),
  }),
  'accounts.create': (client) =>
    Promise.resolve({
      method: 'post',
      path: '/accounts',
      json: '{"name":"Caixa 2"}',
      count: () => client.testing.database.prisma.account.count({ where: ofCompany(client) }),
    }),
  'accounts.update': async (client) => ({
    method: 'put',
    path: `/accounts/${await client.idByCode('account', 'main')}`,
    json: '{"name":"Banco"}',
    count: () => client.testing.database.prisma.account.count({ where: ofCompany(client) }),
  }),
  'payments.remove': async (client) => {
    const { schedule, payment } = await paidPayable(client);
    return {
      method: 'delete',
      path: `/schedules/debit/${schedule}/payments/${payment}`,
      count: () => entries(client),
    };
  },
  'accounts.transfer': async (client) => {
    const from = await client.idByCode('account', 'main');
    const to = idOf(await client.send('post', '/accounts', '{"name":"Cofre"}'));
    return {
      method: 'post',
      path: '/accounts/transfer',
      json: `{"originAccountId":"${from}","destinyAccountId":"${to}","date":"2026-03-10","value":10}`,
      count: () => entries(client),
    };
  },
};

async function direct(client: FinanceClient, path: string): Promise<WritingRequest> {
  const accountId = await client.idByCode('account', 'main');
  return {
    method: 'post',
    path,
    json: `{"accountId":"${accountId}","date":"2026-03-10","value":10}`,
    count: () => entries(client),
  };
}

/** Something owed, 10.00, and paid. */
async function paidPayable(client: FinanceClient): Promise<{ schedule: string; payment: string }> {
  const { database } = client.testing;
  const organizationId = client.company.organization.id;
  const [supplier, schedule, payment] = [newId(), newId(), newId()];
  const date = CalendarDate.parse('2026-03-10');
  const day = new Date('2026-03-10');
  const account = { book: 'account', id: await client.idByCode('account', 'main') } as const;
  const payable = { book: 'payable', id: schedule } as const;
  const expense = { book: 'expense', id: NO_CATEGORY } as const;
  const movement = { organizationId, date, amountMinor: 1_000n };
  await database.transaction(async (tx) => {
    await tx.stakeholder.create({
      data: { id: supplier, organizationId, kind: 'supplier', name: 'A supplier', details: {} },
    });
    await tx.schedule.create({
      data: {
        id: schedule,
        organizationId,
        kind: 'debit',
        stakeholderId: supplier,
        description: 'Rent',
        valueMinor: 1_000n,
        openMinor: 0n,
        scheduleDate: day,
        accrualDate: day,
        dueDate: day,
        groupId: schedule,
        instalment: 1,
        instalmentCount: 1,
      },
    });
    await postEntries(tx, [{ ...movement, id: newId(), kind: 'payable', debit: expense, credit: payable }]);
    await postEntries(tx, [{ ...movement, id: payment, kind: 'payment', debit: payable, credit: account }]);
  });
  return { schedule, payment };
}

function entries(client: FinanceClient): Promise<number> {
  return client.testing.database.prisma.entry.count({ where: ofCompany(client) });
}

function ofCompany({ company }: FinanceClient): { organizationId: string } {
  return { organizationId: company.organization.id };
}
