import { type DemoOrder, shopifyOrder, wooOrder } from './shop-orders';

/** A webhook to try a source with: nobody's data, the provider's own shape. */
export interface Sample {
  readonly provider: string;
  readonly topic: string;
  readonly body: Buffer;
}

const ORDER: DemoOrder = {
  id: 5820013469777,
  number: 1777,
  total: '100.00',
  name: 'Marina Duarte',
  document: '529.982.247-25',
  email: 'marina@example.com',
  instalments: 3,
};

const CUSTOMER = {
  id: 'C-1777',
  name: 'Marina Duarte',
  document: '529.982.247-25',
  email: 'marina@example.com',
};

const MADE = {
  id: '1777',
  number: '1777',
  currency: 'BRL',
  total: '100.00',
  createdAt: '2026-11-20T09:12:41-03:00',
  instalments: 3,
  customer: CUSTOMER,
  lines: [{ title: 'Cadeira Ipê', sku: 'IPE-1', quantity: 1, price: '100.00' }],
};

const PAYMENT = {
  id: 'pay-1777',
  gateway: 'mercado_pago',
  value: '100.00',
  paidAt: '2026-11-20T09:14:05-03:00',
};

function standard(topic: string, data: object): Sample {
  const body = Buffer.from(JSON.stringify({ type: topic, timestamp: '2026-11-20T12:14:06Z', data }));
  return { provider: 'standard-webhooks', topic, body };
}

/** By the name that `--fixture` takes. */
export const SAMPLES: ReadonlyMap<string, Sample> = new Map<string, Sample>([
  [
    'shopify/orders-create',
    { provider: 'shopify', topic: 'orders/create', body: shopifyOrder(ORDER, false) },
  ],
  ['shopify/orders-paid', { provider: 'shopify', topic: 'orders/paid', body: shopifyOrder(ORDER, true) }],
  [
    'woocommerce/order-created',
    { provider: 'woocommerce', topic: 'order.created', body: wooOrder(ORDER, 'pending') },
  ],
  [
    'woocommerce/order-updated',
    { provider: 'woocommerce', topic: 'order.updated', body: wooOrder(ORDER, 'processing') },
  ],
  ['standard-webhooks/order-created', standard('order.created', MADE)],
  ['standard-webhooks/order-paid', standard('order.paid', { ...MADE, payment: PAYMENT })],
  ['standard-webhooks/customer-updated', standard('customer.updated', CUSTOMER)],
]);
