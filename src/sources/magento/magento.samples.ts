import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { name, document, email, total, number } = SAMPLE_ORDER;
const [firstname, ...lastNames] = name.split(' ');
const lastname = lastNames.join(' ');
const TYPE = 'com.adobe.commerce.observer.sales_order_save_commit_after';

const ORDER = {
  entity_id: number,
  increment_id: '000001777',
  state: 'processing',
  status: 'processing',
  created_at: '2026-11-20 12:12:41',
  updated_at: '2026-11-20 12:14:06',
  order_currency_code: 'BRL',
  base_currency_code: 'BRL',
  subtotal: Number(total),
  grand_total: Number(total),
  total_paid: Number(total),
  customer_email: email,
  customer_firstname: firstname,
  customer_lastname: lastname,
  customer_taxvat: document,
  billing_address: { firstname, lastname, email, country_id: 'BR' },
  payment: { method: 'checkmo' },
  items: [],
};

const INVOICE = {
  entity_id: 901,
  order_id: number,
  state: 2,
  order_currency_code: 'BRL',
  grand_total: Number(total),
  created_at: '2026-11-20 12:14:05',
};

export const MAGENTO_SAMPLES: readonly Sample[] = [
  {
    name: 'order-paid',
    topic: TYPE,
    body: jsonBytes({
      specversion: '1.0',
      id: '5c0fd1c3-7f0b-4f0d-8a33-0a51a7e1c9d1',
      source: 'urn:uuid:6f7b52a4-1d0e-4b57-9a53-7a0a3b1a9c55',
      type: TYPE,
      datacontenttype: 'application/json',
      time: '2026-11-20T12:15:00.000Z',
      recipient_client_id: 'the client id of your project',
      data: {
        key: '0b9d2c1e-5f6a-4e88-9c54-2f6f1a1f7d10',
        value: { entity_id: number, increment_id: '000001777' },
      },
    }),
    fetched: [
      answered('order', ORDER),
      answered('invoices', { items: [INVOICE], total_count: 1 }),
      answered('creditmemos', { items: [], total_count: 0 }),
    ],
  },
];
