import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { name, document, email, total, number } = SAMPLE_ORDER;
const [firstName, ...lastNames] = name.split(' ');
const TOPIC = 'store/order/statusUpdated';

const ORDER = {
  id: number,
  customer_id: 77,
  date_created: 'Fri, 20 Nov 2026 12:12:41 +0000',
  date_modified: 'Fri, 20 Nov 2026 12:14:06 +0000',
  status_id: 11,
  status: 'Awaiting Fulfillment',
  total_inc_tax: `${total}00`,
  payment_method: 'Credit Card',
  payment_status: 'captured',
  store_credit_amount: '0.0000',
  gift_certificate_amount: '0.0000',
  default_currency_code: 'BRL',
  billing_address: {
    first_name: firstName,
    last_name: lastNames.join(' '),
    email,
    country_iso2: 'BR',
    form_fields: [{ name: 'CPF', value: document }],
  },
};

const PURCHASE = {
  id: 85_926,
  order_id: String(number),
  event: 'purchase',
  method: 'credit_card',
  amount: 100,
  currency: 'BRL',
  gateway: 'adyen',
  status: 'ok',
  test: false,
  date_created: '2026-11-20T12:14:05+00:00',
  credit_card: { card_type: 'visa' },
};

export const BIGCOMMERCE_SAMPLES: readonly Sample[] = [
  {
    name: 'order-paid',
    topic: TOPIC,
    body: jsonBytes({
      scope: TOPIC,
      store_id: '1001',
      data: { type: 'order', id: number, status: { previous_status_id: 0, new_status_id: 11 } },
      hash: '4f6c1d0b9a2e87f35c64d1b0a9e8f7c6d5b4a392',
      created_at: 1_795_176_846,
      producer: 'stores/abc123',
    }),
    fetched: [
      answered('order', ORDER),
      answered('transactions', { data: [PURCHASE] }),
      answered('refunds', { data: [] }),
    ],
  },
];
