import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signedHeaders } from '../registry';
import type { Normalised } from '../source';
import { standardWebhooks } from './standard-webhooks';

const page = readFileSync(
  join(__dirname, '..', '..', '..', 'docs', 'sources', 'standard-webhooks.md'),
  'utf8',
);
const examples = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = '']) => json);
const secret = 'whsec_dGhpcyBpcyBhIGtleSBmb3IgdGVzdHMgb25seQ==';
const sentAt = new Date('2026-07-15T17:32:11Z');
const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };

function normalise(json: string, settings: Record<string, unknown> = {}): Normalised {
  const webhook = { topic: 'unknown', attributes: {}, rawBody: Buffer.from(json), receivedAt: sentAt };
  return standardWebhooks.normalise(webhook, { ...context, settings });
}

function message(type: string, data: Record<string, unknown>): string {
  const order = { id: 'A-1', total: '10.00', createdAt: '2026-07-15T10:00:00Z', ...data };
  return JSON.stringify({ type, timestamp: '2026-07-15T12:00:00Z', data: order });
}

function orderOf(json: string, settings?: Record<string, unknown>) {
  const normalised = normalise(json, settings);
  const [event] = 'events' in normalised ? normalised.events : [];
  if (!event || !('order' in event)) throw new Error('no order');
  return event.order;
}

describe('the page about home-made shops', () => {
  it('has an example of each kind of message', () => {
    const types = examples.map((json) => (JSON.parse(json) as { type: string }).type);
    expect(types).toEqual([
      ...['order.paid', 'order.paid', 'order.pending', 'order.refunded'],
      ...['payment.settled', 'payout.paid', 'payment.disputed', 'fee.charged'],
      ...['bill.paid', 'customer.updated'],
    ]);
  });

  it.each(examples.map((json) => [json.slice(0, 30).trim(), json]))(
    'has an example that works: %s',
    (_start, json) => {
      const headers = signedHeaders('standard-webhooks', {
        secret,
        body: json,
        topic: '',
        id: 'msg_1',
        sentAt,
      });
      const request = { method: 'POST', headers, query: {}, rawBody: Buffer.from(json) };
      expect(standardWebhooks.verify(request, [secret], {}, sentAt)).toEqual({ ok: true });
      const { type, data } = JSON.parse(json) as { type: string; data: { id: string } };
      const [group = ''] = type.split('.');
      const entity = { 'payment.disputed': 'dispute', 'payment.settled': 'settlement' }[type] ?? group;
      expect(standardWebhooks.identify(request)).toMatchObject({
        topic: type,
        dedupeKey: 'msg_1',
        orderingKey: `${entity}/${data.id}`,
      });
      const normalised = normalise(json);
      const events = 'events' in normalised ? normalised.events : [];
      expect(new Set(events.map((event) => event.type))).toEqual(new Set([type]));
      // A settlement is known by the payment and its number, as it is in the payment's plan.
      const key =
        entity === 'settlement' ? /^loja\/order\/.*\/settlement\/\d+$/ : `loja/${entity}/${data.id}`;
      for (const event of events)
        expect(event.key).toEqual(typeof key === 'string' ? key : expect.stringMatching(key));
    },
  );

  it('loses nothing of its example of a paid order', () => {
    expect(JSON.parse(JSON.stringify(orderOf(examples[0] ?? '')))).toMatchObject({
      number: '1001',
      total: { value: '1000.00', currency: 'BRL' },
      instalments: 3,
      customer: {
        key: 'loja/customer/77',
        document: '417.203.958-88',
        address: { state: 'MG', number: '1440' },
      },
      payment: { key: 'loja/order/1001/payment/pay_91a', gateway: 'pagarme', value: { value: '1000.00' } },
      lines: [{ sku: 'CUR-1', quantity: 1, price: { value: '1000.00' } }],
    });
  });
});

describe('a message of a home-made shop', () => {
  it('without a usable id is known by its content', () => {
    const identify = (headers: Record<string, string>) =>
      standardWebhooks.identify({ method: 'POST', headers, query: {}, rawBody: Buffer.from('{}') }).dedupeKey;
    expect(identify({})).toMatch(/^sha256:/);
    expect(identify({ 'webhook-id': 'x'.repeat(300) })).toBe(identify({}));
    expect(identify({ 'webhook-id': 'msg_1' })).toBe('msg_1');
  });

  it('may pay an order in parts, each known by its id', () => {
    const part = orderOf(message('order.paid', { payment: { id: 'p2', value: '4.00' } }));
    expect(part.payment).toMatchObject({ key: 'loja/order/A-1/payment/p2' });
    expect(part.payment?.value.toString()).toBe('4.00');
    const whole = orderOf(message('order.paid', {}));
    expect(whole.payment).toMatchObject({ key: 'loja/order/A-1/payment/paid' });
    expect(whole.payment?.value.toString()).toBe('10.00');
  });

  it('is paid at once by each payment of what was agreed in parts, unless it says how many instalments were chosen', () => {
    const terms = [
      { value: '6.00', dueDate: '2026-08-14' },
      { value: '4.00', dueDate: '2026-09-14' },
    ];
    const payment = { id: 'p1', method: 'transfer', value: '6.00', paidAt: '2026-08-14T11:00:00Z' };
    const paid = orderOf(message('order.paid', { terms, payments: [payment] }));
    expect([paid.instalments, paid.payment?.instalments]).toEqual([2, 1]);
    const card = { ...payment, instalments: 3 };
    expect(orderOf(message('order.paid', { terms, payments: [card] })).payment?.instalments).toBe(3);
    const chosen = orderOf(message('order.paid', { terms, instalments: 2, payments: [payment] }));
    expect([chosen.instalments, chosen.payment?.instalments]).toEqual([2, undefined]);
  });

  it('gives money back by the gateway that it came through, unless that is in doubt', () => {
    const of = (gateways: string[], refund = {}) => {
      const payments = gateways.map((gateway, index) => ({
        ...{ id: `p${index}`, gateway, value: '5.00', paidAt: '2026-07-15T10:00:00Z' },
        storeCredit: gateway === 'gift_card',
      }));
      const refunds = [{ id: 'r', value: '1.00', ...refund }];
      return orderOf(message('order.refunded', { payments, refunds })).refunds[0]?.gateway;
    };
    expect(of(['stone'])).toBe('stone');
    expect(of(['gift_card', 'stone', 'stone'])).toBe('stone');
    expect(of(['stone', 'cielo'])).toBeUndefined();
    expect(of(['stone', 'cielo'], { paymentId: 'p1' })).toBe('cielo');
    expect(of(['stone'], { paymentId: 'other' })).toBeUndefined();
    expect(of(['stone'], { gateway: 'pix' })).toBe('pix');
    expect(of([''])).toBeUndefined();
    expect(of([])).toBeUndefined();
  });

  it('that came to nothing is owed from the edit that made it dearer', () => {
    const edits = [
      { id: 'e1', value: '20.00', editedAt: '2026-07-15T11:00:00Z' },
      { id: 'e2', value: '5.00', editedAt: '2026-07-16T11:00:00Z' },
    ];
    const owed = (type: string, more: Record<string, unknown>) => {
      const { total, edits: left = [] } = orderOf(message(type, more));
      return [total, ...left.map(({ value }) => value)].map((value) => value.toString());
    };
    expect(owed('order.created', { total: '0.00' })).toEqual(['0.00']);
    expect(owed('order.edited', { total: '20.00', edits: edits.slice(0, 1) })).toEqual(['20.00']);
    expect(owed('order.edited', { total: '25.00', edits })).toEqual(['20.00', '5.00']);
    expect(owed('order.edited', { total: '35.00', edits })).toEqual(['10.00', '20.00', '5.00']);
  });

  it('may say what was agreed on when it is to be paid, the earliest first, if that comes to its total before its edits', () => {
    const terms = [
      { value: '6.00', dueDate: '2026-09-14' },
      { value: '4.00', dueDate: '2026-08-14' },
    ];
    const agreed = orderOf(message('order.created', { terms }));
    expect(JSON.parse(JSON.stringify(agreed))).toMatchObject({
      instalments: 2,
      terms: [
        { value: { value: '4.00' }, dueDate: '2026-08-14' },
        { value: { value: '6.00' }, dueDate: '2026-09-14' },
      ],
      differences: [],
    });
    const edits = [{ id: 'e', value: '2.00', editedAt: '2026-07-15T11:00:00Z' }];
    expect(orderOf(message('order.edited', { total: '12.00', edits, terms })).terms).toHaveLength(2);
    const differs = orderOf(message('order.created', { terms: terms.slice(1) }));
    expect([differs.terms, differs.instalments]).toEqual([undefined, 1]);
    expect(differs.differences).toEqual(['The terms come to 4.00 BRL, but the order says 10.00 BRL.']);
  });

  it.each([
    ['order.created', { terms: [{ value: '10.00' }] }, '$.data.terms[0].dueDate is missing'],
    ['order.created', { terms: [{ value: '0.00', dueDate: '2026-08-14' }] }, '$.data.terms[0].value is zero'],
    ['order.paid', { total: 10.5 }, '$.data.total must be text, for example "12.34"'],
    ['order.paid', { payment: { value: 10 } }, '$.data.payment.value must be text, for example "12.34"'],
    ['order.paid', { total: '-1.00' }, '$.data.total is negative'],
    ['order.paid', { total: undefined }, '$.data.total is missing'],
    ['order.paid', { id: 'a b' }, '$.data.id is not an identifier'],
    ['order.created', { createdAt: undefined }, '$.data.createdAt is missing'],
    ['order.created', { instalments: 0 }, '$.data.instalments is not a number of instalments'],
    ['order.refunded', {}, '$.data.refunds is missing'],
    ['order.refunded', { refunds: [{ id: 1, value: '0.00' }] }, '$.data.refunds[0].value is zero'],
    ['order.refunded', { refunds: [{ value: '1.00' }] }, '$.data.refunds[0].id is missing'],
    ['customer.updated', { id: undefined }, '$.data.id is missing'],
  ])('%s with %j is refused: %s', (type, data, complaint) => {
    expect(() => normalise(message(type, data))).toThrow(complaint);
  });

  it('that is a test is booked only where the source says so', () => {
    const test = message('order.paid', { test: true });
    expect(orderOf(test).test).toBe(true);
    expect(orderOf(test, { bookTestOrders: true }).test).toBe(false);
    expect(orderOf(test, { bookTestOrders: 'yes' }).test).toBe(true);
  });

  it('is dated by its own timestamp where no field says better', () => {
    const at = (type: string, data = {}) => {
      const normalised = normalise(message(type, data));
      return 'events' in normalised ? normalised.events[0]?.occurredAt.toISOString() : undefined;
    };
    expect(at('order.created')).toBe('2026-07-15T10:00:00.000Z');
    expect(at('order.cancelled')).toBe('2026-07-15T12:00:00.000Z');
    expect(at('order.cancelled', { cancelledAt: '2026-07-15T11:00:00Z' })).toBe('2026-07-15T11:00:00.000Z');
    expect(at('order.paid')).toBe('2026-07-15T12:00:00.000Z');
    expect(at('order.paid', { paidAt: '2026-07-15T08:30:00' })).toBe('2026-07-15T11:30:00.000Z');
  });
});
