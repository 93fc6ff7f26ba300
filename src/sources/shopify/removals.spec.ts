import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shopify } from './shopify';

type Json = Record<string, unknown>;

const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'shopify');
const paid = JSON.parse(readFileSync(join(folder, 'order-paid.json'), 'utf8')) as Json;

function both(amount: string): Json {
  return {
    shop_money: { amount, currency_code: 'BRL' },
    presentment_money: { amount, currency_code: 'BRL' },
  };
}

/** What Shopify makes of a line that is taken off an order: a refund of goods without a transaction. */
function removal(amount: string, changes: Json = {}): Json {
  return {
    ...{ id: 91, created_at: '2026-07-15T14:00:00Z', order_adjustments: [], transactions: [] },
    refund_line_items: [
      { quantity: 1, restock_type: 'cancel', subtotal_set: both(amount), total_tax_set: both('0.00') },
    ],
    ...changes,
  };
}

function refund(amount: string, changes: Json = {}): Json {
  const processed_at = '2026-07-20T10:00:00Z';
  const transactions = [{ id: 5, kind: 'refund', status: 'success', amount, currency: 'BRL', processed_at }];
  return { id: 92, created_at: processed_at, transactions, ...changes };
}

/** What is told of an order of 1000.00 that costs less now. */
function reported(changes: Json, topic = 'orders/updated') {
  const rawBody = Buffer.from(JSON.stringify({ ...paid, ...changes }));
  const webhook = {
    ...{ topic, rawBody, receivedAt: new Date('2026-08-10T12:00:00Z') },
    attributes: { triggeredAt: '2026-07-16T09:00:00Z' },
  };
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };
  const normalised = shopify.normalise(webhook, context);
  if (!('events' in normalised)) throw new Error(normalised.ignored);
  const [event] = normalised.events;
  if (event === undefined || !('order' in event)) throw new Error('no order');
  const { total, payments, edits = [], refunds, differences, paidAt } = event.order;
  return {
    types: normalised.events.map(({ type }) => type),
    total: total.toString(),
    payments: payments.map(({ value }) => value.toString()),
    edits: edits.map(({ key, value }) => `${key} ${value.toString()}`),
    refunds: refunds.map(({ value }) => value.toString()),
    differences,
    isPaid: paidAt !== undefined,
  };
}

const edit = 'loja/order/6128439017794/edit/91 -300.00';
const less = { current_total_price: '700.00', refunds: [removal('300.00')] };

describe('goods that are taken off a Shopify order', () => {
  it('before it is paid make it cheaper, and what is paid is what is left', () => {
    expect(reported({ ...less, total_outstanding: '0.00' }, 'orders/paid')).toEqual({
      ...{ types: ['order.paid', 'order.edited'], total: '1000.00', payments: ['700.00'] },
      ...{ edits: [edit], refunds: [], differences: [], isPaid: true },
    });
  });

  it('are told while it is not paid', () => {
    const pending = { ...less, financial_status: 'pending', total_outstanding: '700.00' };
    expect(reported(pending)).toMatchObject({
      types: ['order.pending', 'order.edited'],
      edits: [edit],
      payments: [],
    });
  });

  it('with taxes on top of their prices count with them', () => {
    const goods = { quantity: 1, subtotal_set: both('270.00'), total_tax_set: both('30.00') };
    const refunds = [removal('300.00', { refund_line_items: [goods] })];
    expect(reported({ ...less, refunds, total_outstanding: '0.00' })).toMatchObject({
      payments: ['700.00'],
      edits: [edit],
    });
  });

  it('and that sales are listed of, are paid with those', () => {
    const sale = {
      id: 1,
      kind: 'sale',
      status: 'success',
      amount: '700.00',
      currency: 'BRL',
      gateway: 'cielo',
    };
    expect(reported({ ...less, transactions: [sale] })).toMatchObject({
      ...{ payments: ['700.00'], edits: [edit], differences: [] },
    });
  });

  it.each<[string, Json]>([
    ['and are not given back yet', { ...less, total_outstanding: '-300.00' }],
    [
      'and are given back by a refund of their own',
      {
        ...less,
        ...{ financial_status: 'partially_refunded', total_outstanding: '0.00' },
        refunds: [removal('300.00'), refund('300.00')],
      },
    ],
    [
      'and whose order lists its sales',
      {
        ...less,
        transactions: [{ id: 1, kind: 'sale', status: 'success', amount: '1000.00', currency: 'BRL' }],
      },
    ],
  ])('after it was paid %s leave what was paid as it is', (_what, changes) => {
    expect(reported(changes)).toMatchObject({
      payments: ['1000.00'],
      edits: [],
      differences: [],
      isPaid: true,
    });
  });

  it('before it was paid stay, when money goes back later', () => {
    const refunds = [removal('300.00'), refund('100.00')];
    const changes = { financial_status: 'partially_refunded', current_total_price: '600.00', refunds };
    expect(reported({ ...changes, total_outstanding: '0.00' })).toMatchObject({
      ...{ payments: ['700.00'], edits: [edit], refunds: ['100.00'], differences: [], isPaid: true },
    });
  });

  it('for others in exchange, and of which a part is given back, are paid with what came', () => {
    const goods = { quantity: 1, subtotal_set: both('900.00'), total_tax_set: both('0.00') };
    const exchange = refund('200.00', { refund_line_items: [goods] });
    const changes = { financial_status: 'partially_refunded', total_price: '1700.00', refunds: [exchange] };
    const parts = { total_line_items_price: '1700.00', total_discounts: '0.00', shipping_lines: [] };
    const left = { current_total_price: '800.00', total_outstanding: '0.00' };
    expect(reported({ ...changes, ...parts, ...left })).toMatchObject({
      ...{ total: '1700.00', payments: ['1000.00'], edits: ['loja/order/6128439017794/edit/92 -700.00'] },
      ...{ refunds: ['200.00'], differences: [], isPaid: true },
    });
  });

  it.each<[string, Json]>([
    ['that the shop keeps a part of, as it says', { order_adjustments: [{ amount_set: both('50.00') }] }],
    [
      'whose money is still on its way',
      { transactions: [{ id: 5, kind: 'refund', status: 'pending', amount: '300.00', currency: 'BRL' }] },
    ],
    [
      'whole',
      { transactions: [{ id: 5, kind: 'refund', status: 'success', amount: '300.00', currency: 'BRL' }] },
    ],
    ['in the way of before there were exchanges', { restock_type: 'legacy_restock' }],
  ])('and given back %s are a refund alone', (_what, { restock_type, ...changes }) => {
    const goods = { quantity: 1, subtotal_set: both('300.00'), total_tax_set: both('0.00'), restock_type };
    const refunds = [refund('250.00', { refund_line_items: [goods], ...changes })];
    expect(reported({ ...less, refunds, total_outstanding: '0.00' })).toMatchObject({
      ...{ payments: ['1000.00'], edits: [] },
    });
  });

  it('some before and some after it was paid, are told apart by what came', () => {
    const later = removal('200.00', { id: 93, created_at: '2026-07-18T14:00:00Z' });
    const refunds = [later, removal('300.00')];
    expect(reported({ refunds, current_total_price: '500.00', total_outstanding: '-200.00' })).toMatchObject({
      ...{ payments: ['700.00'], edits: [edit], differences: [] },
    });
  });

  it('by its cancellation are no change of the order', () => {
    const cancelled = { financial_status: 'voided', cancelled_at: '2026-07-15T14:00:01Z' };
    const all = { current_total_price: '0.00', total_outstanding: '0.00', refunds: [removal('1000.00')] };
    expect(reported({ ...cancelled, ...all })).toMatchObject({ types: ['order.cancelled'], edits: [] });
  });

  it('by the cancellation of an order that was paid, with shipping that is no goods, are no change of it either', () => {
    const changes = { cancelled_at: '2026-07-18T14:00:01Z', current_total_price: '0.00' };
    const refunds = [removal('970.00', { created_at: '2026-07-18T14:00:01Z' })];
    expect(reported({ ...changes, refunds, total_outstanding: '-1000.00' })).toMatchObject({
      ...{ types: ['order.paid', 'order.cancelled'], payments: ['1000.00'], edits: [], differences: [] },
    });
  });

  it('ask a person, where they do not come to what the order costs less', () => {
    const changes = {
      current_total_price: '650.00',
      total_outstanding: '0.00',
      refunds: [removal('300.00')],
    };
    expect(reported(changes)).toMatchObject({
      ...{ payments: ['650.00'], edits: [] },
      differences: [
        'The order costs less than it did, and nothing says for sure what it cost when it was paid: 650.00 BRL is taken for what was paid.',
      ],
    });
  });
});

describe('a Shopify order that costs less now, of which no refund says why', () => {
  const cheaper = (outstanding?: string, more: Json = {}) =>
    reported({ current_total_price: '800.00', total_outstanding: outstanding ?? null, refunds: [], ...more });

  it('was paid with what it costs now and what is owed to the buyer, and says so where that is less', () => {
    expect(cheaper('0.00')).toMatchObject({
      ...{ total: '1000.00', payments: ['800.00'], edits: [] },
      differences: [expect.stringContaining('800.00 BRL is taken for what was paid')],
    });
    expect(cheaper('-200.00')).toMatchObject({ payments: ['1000.00'], differences: [] });
  });

  it('was paid with its total where nothing says what is owed, or all of it is gone', () => {
    expect(cheaper()).toMatchObject({ payments: ['1000.00'], differences: [] });
    const cancelled = { current_total_price: '0.00', cancelled_at: '2026-07-17T10:00:00Z' };
    expect(cheaper('0.00', cancelled)).toMatchObject({ payments: ['1000.00'] });
  });
});
