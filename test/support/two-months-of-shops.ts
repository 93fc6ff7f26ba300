import { readFixture } from './source-cases';

/** One sale of a shop: what its own webhooks say of it. */
export interface ShopSale {
  readonly id: number;
  readonly total: string;
  /** As the shop spells the gateway. */
  readonly gateway: string;
  readonly method: string;
  readonly instalments: number;
  readonly paidAt: string;
  /** What went back in the shop, and when; absent: nothing. */
  readonly refund?: { readonly value: string; readonly at: string };
}

/** An order as WooCommerce has it. @param refunded whether it is told after its refund */
export function wooOrder(sale: ShopSale, refunded: boolean): string {
  const own = JSON.parse(readFixture('woocommerce', 'order-processing.json').toString('utf8')) as object;
  const { id, total, gateway, method, instalments, paidAt, refund } = sale;
  const back = refunded ? refund : undefined;
  const isWhole = back?.value === total;
  const times = { date_created_gmt: paidAt, date_paid_gmt: paidAt, date_modified_gmt: back?.at ?? paidAt };
  return JSON.stringify({
    ...own,
    ...{ id, number: String(id), total, payment_method: gateway, payment_method_title: method, ...times },
    ...{ status: isWhole ? 'refunded' : 'processing', customer_id: 0, line_items: [], shipping_lines: [] },
    ...{ discount_total: '0.00', shipping_total: '0.00', meta_data: instalmentsIn(instalments) },
    fee_lines: [{ id: 1, name: 'Produtos', total, total_tax: '0.00', taxes: [], meta_data: [] }],
    refunds: back ? [{ id: id + 1, reason: '', total: `-${back.value}` }] : [],
  });
}

function instalmentsIn(instalments: number): object[] {
  return [{ id: 1, key: 'installments', value: String(instalments) }];
}
