import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { id, name, document, email, total, instalments } = SAMPLE_ORDER;
const TRANSACTION = `HP${id}`;
const PRODUCT = { id: 4410077, name: 'Curso de marcenaria' };
const FEE = 10.9;
const value = Number(total);

const PURCHASE = {
  transaction: TRANSACTION,
  order_date: 1_763_643_600_000,
  approved_date: 1_763_643_602_000,
  status: 'APPROVED',
  is_subscription: false,
  commission_as: 'PRODUCER',
  price: { value, currency_code: 'BRL' },
  payment: { type: 'CREDIT_CARD', method: 'CREDIT_CARD_VISA', installments_number: instalments },
  hotmart_fee: { total: FEE, base: value, fixed: 1, percentage: 9.9, currency_code: 'BRL' },
};

const COMMISSIONS = [
  { source: 'MARKETPLACE', commission: { value: FEE, currency_value: 'BRL' } },
  { source: 'PRODUCER', commission: { value: value - FEE, currency_value: 'BRL' } },
];

const BUYER = {
  name,
  email,
  documents: [{ type: 'CPF', value: document.replace(/\D/g, '') }],
};

export const HOTMART_SAMPLES: readonly Sample[] = [
  {
    name: 'purchase-approved',
    topic: 'PURCHASE_APPROVED',
    body: jsonBytes({
      id: 'sample-1777',
      creation_date: 1_763_643_605_000,
      event: 'PURCHASE_APPROVED',
      version: '2.0.0',
      data: {
        product: PRODUCT,
        buyer: { name, email },
        purchase: { transaction: TRANSACTION, status: 'APPROVED' },
      },
    }),
    fetched: [
      answered('history', {
        items: [{ product: PRODUCT, buyer: { name, email, ucode: 'sample-buyer' }, purchase: PURCHASE }],
      }),
      answered('users', { items: [{ transaction: TRANSACTION, users: [{ role: 'BUYER', user: BUYER }] }] }),
      answered('commissions', { items: [{ transaction: TRANSACTION, commissions: COMMISSIONS }] }),
    ],
  },
];
