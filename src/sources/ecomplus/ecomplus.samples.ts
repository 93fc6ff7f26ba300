import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { name, document, email, total, number, instalments } = SAMPLE_ORDER;
const ID = `5f0c${String(number).padStart(20, '0')}`;
const [given_name, family_name] = name.split(' ');
const VALUE = Number(total);
const PAID_AT = '2026-11-20T12:14:05.000Z';

const ORDER = {
  _id: ID,
  number,
  created_at: '2026-11-20T12:12:41.000Z',
  updated_at: '2026-11-20T12:14:06.000Z',
  status: 'open',
  currency_id: 'BRL',
  financial_status: { current: 'paid', updated_at: PAID_AT },
  amount: { total: VALUE, subtotal: VALUE, freight: 0, discount: 0 },
  buyers: [
    {
      _id: `5f0d${String(number).padStart(20, '0')}`,
      main_email: email,
      name: { given_name, family_name },
      registry_type: 'p',
      doc_number: document.replace(/\D/g, ''),
    },
  ],
  items: [{ sku: 'IPE-1', name: 'Cadeira Ipê', quantity: 1, price: VALUE }],
  transactions: [
    {
      _id: `5f0e${String(number).padStart(20, '0')}`,
      payment_method: { code: 'credit_card', name: 'Cartão de crédito' },
      app: { intermediator: { code: 'pagarme', name: 'Pagar.me' } },
      credit_card: { company: 'Visa' },
      amount: VALUE,
      installments: { number: instalments },
      status: { current: 'paid', updated_at: PAID_AT },
    },
  ],
};

export const ECOMPLUS_SAMPLES: readonly Sample[] = [
  {
    name: 'order-paid',
    topic: 'order',
    body: jsonBytes({ order: ORDER }),
    fetched: [answered('order', ORDER)],
  },
];
