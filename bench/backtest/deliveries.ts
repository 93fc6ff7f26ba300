import { shopifyOrder, wooOrder } from '../../scripts/demo/shop-orders';
import { signedHeaders } from '../../src/sources/registry';
import { jsonBytes, type DemoOrder } from '../../src/sources/samples';
import { cpfNumber } from '../../test/support/documents';

/** A webhook of one of the three sources of `config/`. */
export interface BenchDelivery {
  source: 'shopify' | 'woocommerce' | 'standard';
  provider: string;
  topic: string;
  body: Buffer;
}

export const SECRETS = {
  shopify: 'bench-secret-of-shopify',
  woocommerce: 'bench-secret-of-woocommerce',
  standard: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
};

/** Two webhooks of each order: a third of the orders from each source, each later refunded or less a fee. */
export function* benchDeliveries(count: number): Generator<BenchDelivery> {
  for (let number = 1; number * 2 <= count; number += 1) {
    const order: DemoOrder = {
      ...{ id: 7_100_000_000_000 + number, number, total: '100.00', name: `Cliente ${number}` },
      ...{ document: cpfNumber(number), email: `cliente${number}@example.com`, instalments: 3 },
    };
    if (number % 3 === 0) yield* fromShopify(order);
    else yield* number % 3 === 1 ? fromWooCommerce(order) : fromStandard(order);
  }
}

/** The headers of a signed webhook, its body apart. */
export function headersOf(
  { source, provider, topic, body }: BenchDelivery,
  id: string,
): Record<string, string> {
  return signedHeaders(provider, { topic, body, id, secret: SECRETS[source], sentAt: new Date() });
}

function changed(body: Buffer, fields: object): Buffer {
  return jsonBytes({ ...(JSON.parse(body.toString()) as object), ...fields });
}

function fromShopify(order: DemoOrder): BenchDelivery[] {
  const own = { source: 'shopify', provider: 'shopify' } as const;
  const paid = shopifyOrder(order, true);
  const transaction = {
    ...{ kind: 'refund', status: 'success', gateway: 'mercado_pago', amount: '12.34' },
    processed_at: '2026-11-21T10:00:00-03:00',
  };
  const refunds = [
    { id: order.id + 9, created_at: '2026-11-21T10:00:00-03:00', transactions: [transaction] },
  ];
  const refunded = changed(paid, { financial_status: 'partially_refunded', refunds });
  return [
    { ...own, topic: 'orders/paid', body: paid },
    { ...own, topic: 'orders/updated', body: refunded },
  ];
}

function fromWooCommerce(order: DemoOrder): BenchDelivery[] {
  const own = { source: 'woocommerce', provider: 'woocommerce' } as const;
  const meta = [
    { key: '_billing_cpf', value: order.document },
    { key: '_stripe_fee', value: '4.39' },
  ];
  return [
    { ...own, topic: 'order.created', body: wooOrder(order, 'pending') },
    { ...own, topic: 'order.updated', body: changed(wooOrder(order, 'processing'), { meta_data: meta }) },
  ];
}

function fromStandard({ number, name, document, email, total, instalments }: DemoOrder): BenchDelivery[] {
  const own = { source: 'standard', provider: 'standard-webhooks' } as const;
  const made = {
    ...{ id: `S-${number}`, number: String(number), currency: 'BRL', total, instalments },
    createdAt: '2026-11-20T09:12:41-03:00',
    customer: { id: `C-${number}`, name, document, email },
    lines: [{ title: 'Cadeira Ipê', sku: 'IPE-1', quantity: 1, price: total }],
  };
  const payment = {
    id: `pay-${number}`,
    gateway: 'stone',
    value: total,
    paidAt: '2026-11-20T09:14:05-03:00',
  };
  return [
    ...(['order.created', 'order.paid'] as const).map((type) => ({
      ...{ ...own, topic: type },
      body: jsonBytes({
        ...{ type, timestamp: '2026-11-20T12:14:06Z' },
        data: type === 'order.paid' ? { ...made, payment } : made,
      }),
    })),
  ];
}
