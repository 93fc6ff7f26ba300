import { type DemoOrder, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

/** A WooCommerce order as `order.created` and `order.updated` carry it. */
export function wooOrder(order: DemoOrder, status: 'pending' | 'processing'): Buffer {
  const [firstName, ...rest] = order.name.split(' ');
  const paid = status === 'processing';
  return jsonBytes({
    id: order.id,
    number: String(order.number),
    status,
    currency: 'BRL',
    date_created: '2026-11-20T10:00:00',
    date_created_gmt: '2026-11-20T13:00:00',
    date_modified_gmt: paid ? '2026-11-20T13:05:10' : '2026-11-20T13:00:00',
    date_paid_gmt: paid ? '2026-11-20T13:05:09' : null,
    total: order.total,
    payment_method: 'pagarme-pix',
    payment_method_title: 'Pix',
    transaction_id: paid ? 'tr_demo_1' : '',
    billing: {
      first_name: firstName,
      last_name: rest.join(' '),
      email: order.email,
      phone: '(11) 4000-0000',
      address_1: 'Avenida Central, 9',
      address_2: '',
      city: 'Curitiba',
      state: 'PR',
      postcode: '80010-000',
      country: 'BR',
    },
    meta_data: [{ id: 1, key: '_billing_cpf', value: order.document }],
    line_items: [
      {
        id: 1,
        name: 'Mesa Jatobá',
        sku: 'JAT-2',
        quantity: 1,
        price: Number(order.total),
        subtotal: order.total,
        total: order.total,
      },
    ],
    refunds: [],
  });
}

export const WOOCOMMERCE_SAMPLES: readonly Sample[] = [
  { name: 'order-updated', topic: 'order.updated', body: wooOrder(SAMPLE_ORDER, 'processing') },
  { name: 'order-created', topic: 'order.created', body: wooOrder(SAMPLE_ORDER, 'pending') },
];
