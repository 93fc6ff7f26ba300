import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shopifyOrder } from '../../../scripts/demo/shop-orders';
import type { ConsoleService } from './console-service';

const RULE = join(__dirname, '../../../config/templates/large-refund.yaml');
const REFUNDED_AT = '2026-11-21T10:00:01-03:00';

interface Order {
  readonly id: number;
  readonly number: number;
}

/** Has refunds of large orders wait for an approval. */
export async function askBeforeLargeRefunds({ api, operatorsKey }: ConsoleService): Promise<void> {
  const { status } = await fetch(`${api.url}/admin/organizations/main/rules/large-refund`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operatorsKey}`, 'content-type': 'application/yaml' },
    body: readFileSync(RULE, 'utf8'),
  });
  if (status !== 200) throw new Error(`the rule was answered ${status}`);
}

/** Pays an order of 1,500.00 and sends one part of it back. @returns the order's business key */
export async function refundPartly(
  service: ConsoleService,
  { id, number }: Order,
  value: string,
): Promise<string> {
  const own = { id, number, total: '1500.00', name: 'Marina Duarte', instalments: 1 };
  const paid = shopifyOrder({ ...own, document: '529.982.247-25', email: 'marina@example.com' }, true);
  await service.sendShopify('orders/paid', `${id}-paid`, paid);
  const times = { created_at: REFUNDED_AT, processed_at: REFUNDED_AT };
  const transaction = { kind: 'refund', status: 'success', gateway: 'mercado_pago', amount: value, ...times };
  const refunded = {
    ...(JSON.parse(paid.toString()) as object),
    ...{ updated_at: REFUNDED_AT, financial_status: 'partially_refunded' },
    refunds: [{ id: id + 1, ...times, transactions: [transaction] }],
  };
  await service.sendShopify('orders/updated', `${id}-refunded`, Buffer.from(JSON.stringify(refunded)));
  return `shopify/order/${id}`;
}
