import { jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { name, document, email, total, number, instalments } = SAMPLE_ORDER;
const CENTS = Number(total.replace('.', ''));

const ORDER = {
  id: `ORDE_${number}`,
  reference_id: String(number),
  created_at: '2026-11-20T09:12:41.000-03:00',
  customer: { name, email, tax_id: document.replace(/\D/g, ''), phones: [] },
  items: [{ reference_id: 'IPE-1', name: 'Cadeira Ipê', quantity: 1, unit_amount: CENTS }],
  charges: [
    {
      id: `CHAR_${number}`,
      reference_id: String(number),
      status: 'PAID',
      created_at: '2026-11-20T09:14:04.000-03:00',
      paid_at: '2026-11-20T09:14:05.000-03:00',
      amount: { value: CENTS, currency: 'BRL', summary: { total: CENTS, paid: CENTS, refunded: 0 } },
      payment_method: { type: 'CREDIT_CARD', installments: instalments, card: { brand: 'visa' } },
    },
  ],
};

export const PAGBANK_SAMPLES: readonly Sample[] = [
  { name: 'order-paid', topic: 'PAID', body: jsonBytes(ORDER) },
];
