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

/** An order as Nuvemshop answers it, and its transactions. @param refunded whether it is told after its refund */
export function nuvemshopOrder(sale: ShopSale, refunded: boolean): { order: object; transactions: object[] } {
  const { id, total, gateway, method, instalments, paidAt, refund } = sale;
  const back = refunded ? refund : undefined;
  const order = JSON.parse(
    readFixture('nuvemshop', 'fetched/order-card-paid.json').toString('utf8'),
  ) as object;
  const [transaction] = JSON.parse(
    readFixture('nuvemshop', 'fetched/transactions-card-paid.json').toString('utf8'),
  ) as object[];
  const money = (value: string) => ({ value, currency: 'BRL' });
  const event = (type: string, value: string, at: string): object => ({
    ...{ transaction_id: `t-${id}`, amount: money(value), type, status: 'success', failure_code: null },
    ...{ created_at: `${at}.000Z`, happened_at: `${at}Z`, expires_at: null },
  });
  const zones = { created_at: `${paidAt}+0000`, paid_at: `${paidAt}+0000` };
  return {
    order: {
      ...order,
      ...{ id, number: id, total, subtotal: total, discount: '0.00', discount_gateway: '0.00', gateway },
      ...{ shipping_cost_customer: '0.00', products: [], ...zones, updated_at: `${back?.at ?? paidAt}+0000` },
      payment_status: back?.value === total ? 'refunded' : 'paid',
      payment_details: { method, installments: String(instalments) },
    },
    transactions: [
      {
        ...transaction,
        ...{ id: `t-${id}`, captured_amount: money(total), refunded_amount: money(back?.value ?? '0.00') },
        payment_method: { type: method, id: method },
        status: back === undefined ? 'paid' : back.value === total ? 'refunded' : 'partially_refunded',
        info: { installments: { quantity: instalments, interest: '0.00' }, external_id: String(id) },
        events: [event('sale', total, paidAt), ...(back ? [event('refund', back.value, back.at)] : [])],
      },
    ],
  };
}
