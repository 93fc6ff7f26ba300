import { type DemoOrder, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

/** A Shopify order as `orders/create` and `orders/paid` carry it. */
export function shopifyOrder(order: DemoOrder, paid: boolean): Buffer {
  const [firstName, ...rest] = order.name.split(' ');
  return jsonBytes({
    id: order.id,
    admin_graphql_api_id: `gid://shopify/Order/${order.id}`,
    name: `#${order.number}`,
    order_number: order.number,
    created_at: '2026-11-20T09:12:41-03:00',
    updated_at: paid ? '2026-11-20T09:14:05-03:00' : '2026-11-20T09:12:42-03:00',
    processed_at: '2026-11-20T09:12:40-03:00',
    currency: 'BRL',
    total_price: order.total,
    subtotal_price: order.total,
    total_tax: '0.00',
    total_discounts: '0.00',
    financial_status: paid ? 'paid' : 'pending',
    total_outstanding: paid ? '0.00' : order.total,
    payment_gateway_names: ['mercado_pago'],
    test: false,
    cancelled_at: null,
    email: order.email,
    phone: null,
    note_attributes: [
      { name: 'cpf', value: order.document },
      { name: 'parcelas', value: String(order.instalments) },
    ],
    customer: {
      id: order.id + 7,
      email: order.email,
      first_name: firstName,
      last_name: rest.join(' '),
      phone: null,
    },
    billing_address: {
      name: order.name,
      address1: 'Rua das Laranjeiras, 100',
      address2: 'ap 12',
      city: 'São Paulo',
      province_code: 'SP',
      zip: '01310-100',
      country_code: 'BR',
    },
    line_items: [{ id: order.id + 1, title: 'Cadeira Ipê', sku: 'IPE-1', quantity: 1, price: order.total }],
    refunds: [],
  });
}

export const SHOPIFY_SAMPLES: readonly Sample[] = [
  { name: 'orders-paid', topic: 'orders/paid', body: shopifyOrder(SAMPLE_ORDER, true) },
  { name: 'orders-create', topic: 'orders/create', body: shopifyOrder(SAMPLE_ORDER, false) },
];
