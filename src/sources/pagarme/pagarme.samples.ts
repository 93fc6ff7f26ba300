import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { name, document, email, total, number, instalments } = SAMPLE_ORDER;
const CENTS = Number(total.replace('.', ''));
const ID = 'or_Ponte0001777sampl';

const ORDER = {
  id: ID,
  code: String(number),
  amount: CENTS,
  currency: 'BRL',
  status: 'paid',
  created_at: '2026-11-20T12:12:41Z',
  updated_at: '2026-11-20T12:14:05Z',
  items: [{ id: 'oi_1', code: 'IPE-1', description: 'Cadeira Ipê', quantity: 1, amount: CENTS }],
  customer: { name, email, document: document.replace(/\D/g, ''), document_type: 'cpf' },
  charges: [
    {
      id: 'ch_Ponte0001777sampl',
      code: String(number),
      amount: CENTS,
      paid_amount: CENTS,
      status: 'paid',
      currency: 'BRL',
      payment_method: 'credit_card',
      created_at: '2026-11-20T12:12:42Z',
      paid_at: '2026-11-20T12:14:05Z',
      last_transaction: {
        id: 'tran_Ponte001777smpl',
        operation_type: 'auth_and_capture',
        status: 'captured',
        success: true,
        amount: CENTS,
        installments: instalments,
        card: { brand: 'Visa' },
      },
    },
  ],
};

export const PAGARME_SAMPLES: readonly Sample[] = [
  {
    name: 'order-paid',
    topic: 'order.paid',
    body: jsonBytes({
      id: 'hook_Ponte001777smpl',
      type: 'order.paid',
      created_at: ORDER.updated_at,
      data: ORDER,
    }),
    fetched: [answered('order', ORDER)],
  },
];
