import type { OperationId } from '../../src/finance/api/operations/operations';
import type { Names } from './books-of-one';

export interface Attempt {
  path: string;
  body?: object;
}

export interface Case {
  /** A request that succeeds with records of one's own. */
  request: (names: Names) => Attempt;
  /** What of it names records: each is tried with a stranger's. */
  inPath?: (keyof Names)[];
  inBody?: (keyof Names)[];
  /** A listing: what a filter would have to say to find the stranger's records. */
  filter?: (names: Names) => string;
}

const DATE = '2026-03-10';
const direct = (names: Names, category: 'categoryIn' | 'categoryOut') => ({
  accountId: names.account,
  stakeholderId: names.customer,
  categoryId: names[category],
  costCenterId: names.costCenter,
  value: 1,
  date: DATE,
});

/** An account with all that it can name. */
const account = (names: Names) => ({
  name: 'Mine',
  bankId: names.bank,
  virtualAccountDetails: {
    accountToTransfer: { accountWithDrawId: names.otherAccount },
    configuration: { tax: { stakeholderId: names.customer, categoryId: names.categoryOut } },
  },
});

/** A good request for every operation, and what of it names records. */
export const CASES: Record<OperationId, Case> = {
  'customers.create': { request: () => ({ path: '/customers', body: { name: 'Lia' } }) },
  'schedules.createCredit': {
    request: (names) => ({
      path: '/schedules/credit/FormatType=json',
      body: {
        stakeholderId: names.customer,
        categoryId: names.categoryIn,
        costCenterId: names.costCenter,
        value: 1,
        dueDate: DATE,
      },
    }),
    inBody: ['customer', 'categoryIn', 'costCenter'],
  },
  'payments.register': {
    request: (names) => ({ path: '/payments', body: direct(names, 'categoryOut') }),
    inBody: ['account', 'customer', 'categoryOut', 'costCenter'],
  },
  'receipts.register': {
    request: (names) => ({ path: '/receipts', body: direct(names, 'categoryIn') }),
    inBody: ['account', 'customer', 'categoryIn', 'costCenter'],
  },
  'receipts.registerForSchedule': {
    request: (names) => ({
      path: `/schedules/credit/${names.receivable}/receipts`,
      body: { accountId: names.account, date: DATE, value: 1 },
    }),
    inPath: ['receivable'],
    inBody: ['account'],
  },
  'costCenters.update': {
    request: (names) => ({ path: `/costcenters/${names.costCenter}`, body: { description: 'Mine' } }),
    inPath: ['costCenter'],
  },
  'accounts.transfer': {
    request: (names) => ({
      path: '/accounts/transfer',
      body: { originAccountId: names.account, destinyAccountId: names.otherAccount, date: DATE, value: 1 },
    }),
    inBody: ['account', 'otherAccount'],
  },
  'payments.remove': {
    request: (names) => ({ path: `/schedules/debit/${names.payable}/payments/${names.payment}` }),
    inPath: ['payable', 'payment'],
  },
  'accounts.update': {
    request: (names) => ({ path: `/accounts/${names.account}`, body: account(names) }),
    inPath: ['account'],
    inBody: ['bank', 'otherAccount', 'customer', 'categoryOut'],
  },
  'accounts.create': {
    request: (names) => ({ path: '/accounts', body: account(names) }),
    inBody: ['bank', 'otherAccount', 'customer', 'categoryOut'],
  },
  'schedules.listDebit': {
    request: () => ({ path: '/schedules/debit' }),
    filter: ({ payable }) => `scheduleId eq ${payable}`,
  },
  'schedules.listOverdueCredit': {
    request: () => ({ path: '/schedules/credit/dued' }),
    filter: ({ receivable }) => `scheduleId eq ${receivable}`,
  },
  'schedules.listOfCustomer': {
    request: (names) => ({ path: `/customers/${names.customer}/schedules` }),
    inPath: ['customer'],
    filter: ({ receivable }) => `scheduleId eq ${receivable}`,
  },
  'costCenters.list': {
    request: () => ({ path: '/costcenters' }),
    filter: ({ costCenter }) => `costCenterId eq ${costCenter}`,
  },
  'accounts.listBalances': {
    request: () => ({ path: '/accounts/views/balance' }),
    filter: ({ account }) => `accountId eq ${account}`,
  },
  'accounts.list': { request: () => ({ path: '/accounts' }), filter: ({ account }) => `id eq ${account}` },
  'categories.get': {
    request: (names) => ({ path: `/schedules/categories/${names.categoryIn}` }),
    inPath: ['categoryIn'],
  },
  'customers.list': {
    request: () => ({ path: '/customers' }),
    filter: ({ customer }) => `id eq ${customer}`,
  },
  'customers.get': { request: (names) => ({ path: `/customers/${names.customer}` }), inPath: ['customer'] },
  'customers.update': {
    request: (names) => ({ path: `/customers/${names.customer}`, body: { phone: '11 5555-0101' } }),
    inPath: ['customer'],
  },
  'schedules.listCredit': {
    request: () => ({ path: '/schedules/credit' }),
    filter: ({ receivable }) => `scheduleId eq ${receivable}`,
  },
  'schedules.listOpenCredit': {
    request: () => ({ path: '/schedules/credit/opened' }),
    filter: ({ receivable }) => `scheduleId eq ${receivable}`,
  },
  'schedules.getCredit': {
    request: (names) => ({ path: `/schedules/credit/${names.receivable}` }),
    inPath: ['receivable'],
  },
  'schedules.getDebit': {
    request: (names) => ({ path: `/schedules/debit/${names.payable}` }),
    inPath: ['payable'],
  },
  'categories.list': {
    request: () => ({ path: '/schedules/categories' }),
    filter: ({ categoryIn }) => `id eq ${categoryIn}`,
  },
  'costCenters.get': {
    request: (names) => ({ path: `/costcenters/${names.costCenter}` }),
    inPath: ['costCenter'],
  },
  'receipts.list': {
    request: () => ({ path: '/receipts' }),
    filter: ({ receivable }) => `scheduleId eq ${receivable}`,
  },
  'payments.list': {
    request: () => ({ path: '/payments' }),
    filter: ({ payment }) => `entryId eq ${payment}`,
  },
  'receipts.listDiscounts': {
    request: () => ({ path: '/discounts' }),
    filter: ({ receivable }) => `scheduleId eq ${receivable}`,
  },
  'accounts.listTransfers': {
    request: () => ({ path: '/transfers' }),
    filter: ({ account }) => `originAccountId eq ${account}`,
  },
  'organizations.list': {
    request: () => ({ path: '/organizations' }),
    filter: () => "contains(name, 'STRANGER')",
  },
  'schedules.nextOpenDebit': { request: () => ({ path: '/schedules/debit/opened' }) },
  'suppliers.list': {
    request: () => ({ path: '/suppliers' }),
    filter: () => "contains(name, 'STRANGER')",
  },
};
