import { type DemoOrder, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

function time(date: string) {
  return { date: `${date}.000000`, timezone_type: 3, timezone: 'America/Sao_Paulo' };
}

/** A Yampi order as `order.created` and `order.paid` carry it. */
export function yampiOrder(order: DemoOrder, paid: boolean): Buffer {
  const total = Number(order.total);
  const createdAt = time('2026-11-20 10:00:00');
  const paidAt = time('2026-11-20 10:00:07');
  const alias = paid ? 'paid' : 'waiting_payment';
  return jsonBytes({
    event: paid ? 'order.paid' : 'order.created',
    time: paid ? '2026-11-20 10:00:08' : '2026-11-20 10:00:01',
    merchant: { id: 739001, alias: 'loja-exemplo' },
    resource: {
      id: order.id,
      number: order.number,
      status: { data: { id: paid ? 4 : 3, alias, name: paid ? 'Pago' : 'Aguardando pagamento' } },
      value_total: total,
      value_products: total,
      value_shipment: 0,
      value_discount: 0,
      value_tax: 0,
      created_at: createdAt,
      updated_at: paid ? paidAt : createdAt,
      customer: {
        data: {
          id: order.id + 7,
          type: 'f',
          name: order.name,
          cpf: order.document.replace(/\D/g, ''),
          cnpj: null,
          email: order.email,
          phone: { full_number: '1140000000' },
        },
      },
      items: {
        data: [
          { id: 1, item_sku: 'JAT-2', quantity: 1, price: total, sku: { data: { title: 'Mesa Jatobá' } } },
        ],
      },
      transactions: {
        data: [
          {
            id: order.id + 1,
            affiliation_id: 540001,
            amount: total,
            status: alias,
            captured: paid,
            captured_at: paid ? paidAt : null,
            cancelled: false,
            installments: order.instalments,
            payment: { data: { alias: 'visa', name: 'Visa', is_credit_card: true } },
          },
        ],
      },
    },
  });
}

export const YAMPI_SAMPLES: readonly Sample[] = [
  { name: 'order-paid', topic: 'order.paid', body: yampiOrder(SAMPLE_ORDER, true) },
  { name: 'order-created', topic: 'order.created', body: yampiOrder(SAMPLE_ORDER, false) },
];
