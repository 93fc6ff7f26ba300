import { cpfNumber } from './documents';

/** A paid order as the API of the thin shop answers it: 100.00, by one customer for each number. */
export function paidOrderMessage(number: string): object {
  return {
    type: 'order.paid',
    timestamp: '2026-03-05T12:00:00Z',
    data: {
      ...{ id: number, number, currency: 'BRL', total: '100.00', createdAt: '2026-03-05T09:00:00-03:00' },
      ...{ instalments: 1, paidAt: '2026-03-05T09:00:00-03:00' },
      customer: { id: number, name: 'Lia Campos', document: cpfNumber(70_000 + Number(number)) },
      lines: [{ title: 'Cadeira', quantity: 1, price: '100.00' }],
      payments: [
        { id: `p-${number}`, gateway: 'other', value: '100.00', paidAt: '2026-03-05T09:00:00-03:00' },
      ],
    },
  };
}
