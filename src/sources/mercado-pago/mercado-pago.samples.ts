import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { name, document, email, total, number, instalments } = SAMPLE_ORDER;
const [first_name, last_name] = name.split(' ');
const ID = '91777000001';

const NOTIFICATION = {
  id: 120_017_770_001,
  live_mode: true,
  type: 'payment',
  date_created: '2026-11-20T09:14:06.000-03:00',
  user_id: 700_100_200,
  api_version: 'v1',
  action: 'payment.updated',
  data: { id: ID },
};

const PAYMENT = {
  id: Number(ID),
  date_created: '2026-11-20T09:12:41.000-03:00',
  date_approved: '2026-11-20T09:14:05.000-03:00',
  money_release_date: '2026-12-04T09:14:05.000-03:00',
  payment_method_id: 'visa',
  payment_type_id: 'credit_card',
  status: 'approved',
  currency_id: 'BRL',
  live_mode: true,
  external_reference: String(number),
  transaction_amount: Number(total),
  transaction_amount_refunded: 0,
  installments: instalments,
  transaction_details: { net_received_amount: Number(total) - 5 },
  fee_details: [{ type: 'mercadopago_fee', amount: 5, fee_payer: 'collector' }],
  refunds: [],
  payer: {
    ...{ first_name, last_name, email },
    identification: { type: 'CPF', number: document.replace(/\D/g, '') },
  },
};

export const MERCADO_PAGO_SAMPLES: readonly Sample[] = [
  {
    name: 'payment-approved',
    topic: 'payment',
    body: jsonBytes(NOTIFICATION),
    fetched: [answered('payment', PAYMENT)],
  },
];
