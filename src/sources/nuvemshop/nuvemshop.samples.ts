import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';
import { TRANSACTIONS } from './fetches';

const { id, number, name, document, email, total, instalments } = SAMPLE_ORDER;
const STORE = 4810022;
const PAID_AT = '2026-11-20T13:14:05+0000';
const MONEY = { value: total, currency: 'BRL' };
const IDENTIFICATION = document.replace(/\D/g, '');

const CUSTOMER = { id: id + 7, name, email, identification: IDENTIFICATION, phone: '+551140000000' };

const ORDER = {
  id,
  number,
  store_id: String(STORE),
  currency: 'BRL',
  subtotal: total,
  discount: '0.00',
  shipping_cost_customer: '0.00',
  total,
  status: 'open',
  payment_status: 'paid',
  gateway: 'nuvempago',
  gateway_name: 'Nuvem Pago',
  payment_details: { method: 'credit_card', credit_card_company: 'visa', installments: instalments },
  contact_name: name,
  contact_email: email,
  contact_identification: IDENTIFICATION,
  created_at: '2026-11-20T13:12:41+0000',
  updated_at: PAID_AT,
  paid_at: PAID_AT,
  customer: CUSTOMER,
  products: [{ id: 1, name: 'Banco Cumaru', sku: 'CUM-1', price: total, quantity: 1 }],
};

const TRANSACTION = {
  id: '5f0c1d8a-6f0f-4c2e-9d55-0a1f6b2c7e01',
  payment_method: { type: 'credit_card', id: 'visa' },
  status: 'paid',
  captured_amount: MONEY,
  refunded_amount: { value: '0.00', currency: 'BRL' },
  info: { card: { brand: 'visa' }, installments: { quantity: instalments } },
  created_at: '2026-11-20 10:14:04',
  events: [{ type: 'sale', status: 'success', amount: MONEY, created_at: PAID_AT, happened_at: PAID_AT }],
};

function notification(event: string, of: number): Buffer {
  return jsonBytes({ store_id: STORE, event, id: of });
}

export const NUVEMSHOP_SAMPLES: readonly Sample[] = [
  {
    name: 'order-paid',
    topic: 'order/paid',
    body: notification('order/paid', id),
    fetched: [answered('order', ORDER), answered(TRANSACTIONS, [TRANSACTION])],
  },
  {
    name: 'customer-updated',
    topic: 'customer/updated',
    body: notification('customer/updated', CUSTOMER.id),
    fetched: [answered('customer', { ...CUSTOMER, updated_at: PAID_AT })],
  },
];
