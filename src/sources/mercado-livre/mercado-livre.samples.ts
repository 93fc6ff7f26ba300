import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';
import { BILLING, ORDER, paymentName } from './answers';

const { id, total, name, document, instalments } = SAMPLE_ORDER;
const SELLER = 410220815;
const PAYMENT = id + 90;
const PAID_AT = '2026-11-20T09:14:05.000-04:00';
const [firstName, lastName] = name.split(' ');

const NOTIFICATION = {
  _id: '7f0f1f0e-5f4b-4a53-9d2a-6d0f0a9b1c01',
  topic: 'orders_v2',
  resource: `/orders/${id}`,
  user_id: SELLER,
  application_id: 5503910054141466,
  sent: '2026-11-20T13:14:07.512Z',
  attempts: 1,
  received: '2026-11-20T13:14:07.101Z',
  actions: ['action:new_order', 'site_id:mlb', 'channel:marketplace'],
};

const ANSWERED_ORDER = {
  id,
  date_created: '2026-11-20T09:12:41.000-04:00',
  last_updated: PAID_AT,
  status: 'paid',
  total_amount: Number(total),
  paid_amount: Number(total),
  currency_id: 'BRL',
  order_items: [
    {
      item: { id: 'MLB4710022815', title: 'Banco Cumaru', seller_sku: 'CUM-1' },
      quantity: 1,
      unit_price: Number(total),
      sale_fee: 12.5,
      currency_id: 'BRL',
    },
  ],
  payments: [
    {
      id: PAYMENT,
      order_id: id,
      status: 'approved',
      status_detail: 'accredited',
      payment_method_id: 'visa',
      payment_type: 'credit_card',
      currency_id: 'BRL',
      installments: instalments,
      transaction_amount: Number(total),
      transaction_amount_refunded: 0,
      shipping_cost: 0,
      coupon_amount: 0,
      total_paid_amount: Number(total),
      date_created: '2026-11-20T09:14:02.000-04:00',
      date_approved: PAID_AT,
      date_last_modified: PAID_AT,
    },
  ],
  tags: ['paid', 'not_delivered'],
  context: { channel: 'marketplace', site: 'MLB' },
  seller: { id: SELLER },
  buyer: { id: SELLER + 77, nickname: 'MARINAD', billing_info: { id: '776121809365303355' } },
};

const ANSWERED_BILLING = {
  site_id: 'MLB',
  buyer: {
    cust_id: SELLER + 77,
    billing_info: {
      name: firstName,
      last_name: lastName,
      identification: { type: 'CPF', number: document.replace(/\D/g, '') },
    },
  },
};

const ANSWERED_PAYMENT = {
  id: PAYMENT,
  order_id: id,
  status: 'approved',
  status_detail: 'accredited',
  money_release_date: '2026-12-18T09:14:05.000-04:00',
  refunds: [],
};

export const MERCADO_LIVRE_SAMPLES: readonly Sample[] = [
  {
    name: 'order-paid',
    topic: 'orders_v2',
    body: jsonBytes(NOTIFICATION),
    fetched: [
      answered(ORDER, ANSWERED_ORDER),
      answered(BILLING, ANSWERED_BILLING),
      answered(paymentName(String(PAYMENT)), ANSWERED_PAYMENT),
    ],
  },
];
