import { UnreadablePayload } from './payload';
import { findProvider } from './registry';

/** What the provider would have sent for a line: `topic: body`, and what is fetched of it. */
function sentFor(
  id: string,
  line: object | string,
  { topic, settings = {} }: { topic?: string; settings?: Record<string, unknown> } = {},
): { topic: string; body: string; lane: string; asks: string | undefined } | undefined {
  const provider = findProvider(id);
  const bytes = Buffer.from(typeof line === 'string' ? line : JSON.stringify(line));
  const made = provider?.importLine?.(bytes, { settings, ...(topic !== undefined && { topic }) });
  if (!provider || !made) return undefined;
  const { headers = {}, query = {}, body } = made;
  const identity = provider.identify({ method: 'POST', headers, query, rawBody: body }, settings);
  const { attributes, orderingKey: lane } = identity;
  const webhook = { topic: identity.topic, attributes, rawBody: body, receivedAt: new Date(0) };
  const asked = provider.fetchBack?.next(webhook, { settings, credentials: {} });
  return { topic: identity.topic, body: body.toString('utf8'), lane, asks: asked?.path };
}

describe('a line of an import', () => {
  const order = { id: 7, total_price: '10.00', line_items: [] };

  it('is an order of Shopify as it is now, or what its topic says', () => {
    const body = JSON.stringify(order);
    expect(sentFor('shopify', order)).toMatchObject({ topic: 'orders/updated', body, lane: 'order/7' });
    const customer = { topic: 'customers/update' };
    expect(sentFor('shopify', { id: 8 }, customer)).toMatchObject({ ...customer, lane: 'customer/8' });
    expect(() => sentFor('shopify', { id: 8 })).toThrow(UnreadablePayload);
    expect(() => sentFor('shopify', '{"id": 8')).toThrow(UnreadablePayload);
  });

  it('is an order of WooCommerce as it is now, or what its topic says', () => {
    const shown = { id: 7, status: 'processing', total: '10.00', line_items: [] };
    expect(sentFor('woocommerce', shown)).toMatchObject({ topic: 'order.updated', lane: 'order/7' });
    expect(sentFor('woocommerce', { id: 8 }, { topic: 'customer.updated' })?.lane).toBe('customer/8');
    expect(() => sentFor('woocommerce', { id: 8 })).toThrow(UnreadablePayload);
  });

  it.each([
    ['nuvemshop', { id: 7, store_id: 3, payment_status: 'paid' }, 'order/7', '/v1/3/orders/7'],
    [
      'vtex',
      { orderId: '1-01', lastChange: '2026-07-15T13:00:00Z', status: 'invoiced' },
      'order/1-01',
      '/api/oms/pvt/orders/1-01',
    ],
    ['bigcommerce', { id: 7, status_id: 11 }, 'order/7', '/stores/abc/v2/orders/7'],
    ['asaas', { object: 'payment', id: 'pay_7', status: 'RECEIVED' }, 'order/pay_7', '/v3/payments/pay_7'],
    ['mercado-pago', { id: 7, transaction_amount: 10 }, 'payment/7', '/v1/payments/7'],
    ['pagarme', { id: 'or_7', code: 'A1' }, 'order/or_7', '/orders/or_7'],
    ['pagarme', { id: 'ch_7', order: { id: 'or_7' } }, 'order/or_7', '/orders/or_7'],
  ])('of %s that is a record of its API has it fetched: %j', (id, line, lane, path) => {
    const settings = { storeHash: 'abc', account: 'loja' };
    const sent = sentFor(id, line, { settings });
    expect([sent?.lane, sent?.asks?.split('?')[0]]).toEqual([lane, path]);
    expect(sent?.topic).not.toBe('unknown');
  });

  it('keeps every digit of what is to be fetched', () => {
    const id = '12345678901234567890';
    expect(sentFor('nuvemshop', `{"id": ${id}, "store_id": 3, "payment_status": "paid"}`)?.asks).toBe(
      `/v1/3/orders/${id}`,
    );
    expect(sentFor('mercado-pago', `{"id": ${id}, "transaction_amount": 1}`)?.asks).toBe(
      `/v1/payments/${id}`,
    );
    expect(sentFor('asaas', `{"object":"payment","id":"pay_1","value":${id}}`)?.body).toContain(`:${id}}`);
  });

  it('of VTEX is another one when the order has changed since', () => {
    const line = { orderId: '1-01', lastChange: '2026-07-15T13:00:00Z' };
    const [first, again, later] = [line, line, { ...line, lastChange: '2026-07-16T13:00:00Z' }].map(
      (one) => sentFor('vtex', one, { settings: { account: 'loja' } })?.body,
    );
    expect(again).toBe(first);
    expect(later).not.toBe(first);
  });

  it('of Nuvemshop is of the store of the source where the order names none', () => {
    const line = { id: 7, payment_status: 'paid' };
    expect(sentFor('nuvemshop', line, { settings: { storeId: '9' } })?.asks).toBe('/v1/9/orders/7');
    expect(() => sentFor('nuvemshop', line)).toThrow(UnreadablePayload);
  });

  it('of Mercado Pago is fetched by the number in its body, where it is a notification', () => {
    const line = { type: 'payment', action: 'payment.updated', data: { id: '7' } };
    expect(sentFor('mercado-pago', line)).toMatchObject({
      body: JSON.stringify(line),
      asks: '/v1/payments/7',
    });
    expect(() => sentFor('mercado-pago', { id: 7 })).toThrow(UnreadablePayload);
  });

  it.each([
    ['nuvemshop', { store_id: 3, event: 'order/paid', id: 7 }],
    ['vtex', { OrderId: '1-01', State: 'invoiced' }],
    ['bigcommerce', { scope: 'store/order/updated', data: { id: 7 } }],
    ['asaas', { event: 'PAYMENT_RECEIVED', payment: { id: 'pay_1', object: 'payment' } }],
    ['asaas', { object: 'customer', id: 'cus_1' }],
    ['pagarme', { id: 'hook_1', type: 'order.paid', data: { id: 'or_7' } }],
    ['pagarme', { id: 'cus_1' }],
  ])('of %s is taken as the webhook that it is: %j', (id, line) => {
    expect(sentFor(id, line)).toBeUndefined();
  });
});
