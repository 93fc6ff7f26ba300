import type { OperationId } from './operations';

const CUSTOMER = '0198c2a4-6f1e-7c3a-9b52-3d0c8f4e7a11';
const ACCOUNT = '0198c2a4-7a03-7d21-8c44-5e1f9a6b3c22';
const OTHER_ACCOUNT = '0198c2a4-7b10-7e55-a1d3-6f2a0b7c4d33';
const CATEGORY = '0198c2a4-7c22-7f60-b2e4-7a3b1c8d5e44';
const COST_CENTER = '0198c2a4-7d31-7a71-83f5-8b4c2d9e6f55';
const SCHEDULE = '0198c2a4-7e45-7b82-94a6-9c5d3eaf7a66';

/** A body that each operation would take, were the records it names there: for the API's description. */
export const EXAMPLES: Partial<Record<OperationId, Record<string, unknown>>> = {
  'customers.create': {
    name: 'Padaria Pão Quente',
    email: 'caixa@example.com',
    document: { number: '12.ABC.345/01DE-35' },
    address: {
      line1: 'Avenida Paulista',
      number: 1000,
      city: 'São Paulo',
      state: 'SP',
      zipCode: '01310-100',
      country: 'Brasil',
      ibgeCode: '3550308',
    },
    bankAccountInformation: { bank: '341', agency: '0001', accountNumber: '12345-6' },
  },
  'customers.update': { phone: '+55 11 5555-0101', communication: { contactName: 'Rui Prado' } },
  'schedules.createCredit': {
    stakeholderId: CUSTOMER,
    description: 'Order 1042',
    reference: 'order-1042',
    value: 300,
    dueDate: '2026-04-10T00:00:00-03:00',
    categoryId: CATEGORY,
    costCenterId: COST_CENTER,
    instalment: [
      { value: 100, dueDate: '2026-04-10T00:00:00-03:00' },
      { value: 100, dueDate: '2026-05-10T00:00:00-03:00' },
      { value: 100, dueDate: '2026-06-10T00:00:00-03:00' },
    ],
  },
  'payments.register': {
    accountId: ACCOUNT,
    value: 89.9,
    date: '2026-04-10T00:00:00-03:00',
    description: 'Paper',
  },
  'receipts.register': {
    accountId: ACCOUNT,
    stakeholderId: CUSTOMER,
    value: 250,
    date: '2026-04-10T00:00:00-03:00',
    description: 'Sold at the counter',
  },
  'receipts.registerForSchedule': {
    scheduleId: SCHEDULE,
    accountId: ACCOUNT,
    date: '2026-04-10T00:00:00-03:00',
    identifier: 'pix-7f3a',
    value: 100,
  },
  'costCenters.update': { costCenterId: COST_CENTER, description: 'Shop', externalCode: 'shop' },
  'accounts.transfer': {
    originAccountId: ACCOUNT,
    destinyAccountId: OTHER_ACCOUNT,
    date: '2026-04-10T00:00:00-03:00',
    value: 500,
  },
  'accounts.update': { accountId: ACCOUNT, name: 'Current account' },
  'accounts.create': {
    name: 'Current account',
    openBalance: 1500.25,
    dateOfOpenBalance: '2026-01-01T00:00:00-03:00',
    bankAgency: '0001',
    bankAccount: '12345',
    bankAccountVerificationNumber: 6,
  },
};
