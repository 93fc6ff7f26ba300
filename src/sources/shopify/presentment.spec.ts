import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RefundFacts } from '../../events/event';
import { shopify } from './shopify';

type Json = Record<string, unknown>;

const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'shopify');
const paid = JSON.parse(readFileSync(join(folder, 'order-paid.json'), 'utf8')) as Json;

/** An amount in reais and in the dollars that the buyer saw. */
function both(reais: string, dollars: string): Json {
  return {
    shop_money: { amount: reais, currency_code: 'BRL' },
    presentment_money: { amount: dollars, currency_code: 'USD' },
  };
}

function transaction(amount: string, changes: Json = {}): Json {
  const processed_at = '2026-07-20T10:00:00Z';
  return { id: 5, kind: 'refund', status: 'success', amount, currency: 'USD', processed_at, ...changes };
}

const goods = { quantity: 1, subtotal_set: both('110.00', '20.00'), total_tax_set: both('11.00', '2.00') };
const shipping = { kind: 'shipping_refund', amount_set: both('-27.50', '-5.00') };

function refundsOf(refund: Json): readonly RefundFacts[] {
  const refunds = [{ id: 91, created_at: '2026-07-20T10:00:00Z', ...refund }];
  const rawBody = Buffer.from(JSON.stringify({ ...paid, financial_status: 'partially_refunded', refunds }));
  const webhook = {
    topic: 'orders/updated',
    attributes: {},
    rawBody,
    receivedAt: new Date('2026-08-10T12:00:00Z'),
  };
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };
  const normalised = shopify.normalise(webhook, context);
  const event =
    'events' in normalised ? normalised.events.find(({ type }) => type === 'order.refunded') : undefined;
  if (event?.type !== 'order.refunded') throw new Error('not refunded');
  return event.order.refunds;
}

describe('a refund in the currency of the buyer', () => {
  it.each<[string, Json, string]>([
    [
      'goods with their taxes',
      { refund_line_items: [goods], transactions: [transaction('22.00')] },
      '121.00 BRL',
    ],
    [
      'goods whose prices include taxes',
      { refund_line_items: [goods], transactions: [transaction('20.00')] },
      '110.00 BRL',
    ],
    [
      'goods and shipping',
      { refund_line_items: [goods], order_adjustments: [shipping], transactions: [transaction('27.00')] },
      '148.50 BRL',
    ],
    [
      'goods and shipping, as Shopify has it since 2024-10',
      {
        ...{ refund_line_items: [goods], transactions: [transaction('27.00')] },
        refund_shipping_lines: [{ id: 7, subtotal_amount_set: both('27.50', '5.00') }],
      },
      '148.50 BRL',
    ],
    [
      'goods and shipping that an adjustment repeats',
      {
        ...{
          refund_line_items: [goods],
          transactions: [transaction('27.00')],
          order_adjustments: [shipping],
        },
        refund_shipping_lines: [{ id: 7, subtotal_amount_set: both('27.50', '5.00') }],
      },
      '148.50 BRL',
    ],
    [
      'an amount without goods',
      { order_adjustments: [shipping], transactions: [transaction('5.00')] },
      '27.50 BRL',
    ],
  ])('is told in that of the shop, where it is %s', (_what, refund, value) => {
    expect(refundsOf(refund).map((one) => `${one.value.toString()} ${one.value.currency}`)).toEqual([value]);
  });

  it.each<[string, Json]>([
    ['that is not the sum of its parts', { transactions: [transaction('21.00')] }],
    [
      'through two gateways',
      { transactions: [transaction('10.00', { gateway: 'a' }), transaction('12.00')] },
    ],
    ['whose parts are in a third currency', { transactions: [transaction('22.00', { currency: 'EUR' })] }],
  ])('%s is unreadable', (_what, refund) => {
    expect(() => refundsOf({ refund_line_items: [goods], ...refund })).toThrow('but the order is in BRL');
  });

  it('in the currency of the shop is what its transactions say, whatever its parts are', () => {
    const transactions = [transaction('50.00', { currency: 'BRL' })];
    expect(refundsOf({ refund_line_items: [goods], transactions })[0]?.value.toString()).toBe('50.00');
  });
});
