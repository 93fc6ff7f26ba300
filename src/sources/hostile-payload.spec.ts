import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnreadablePayload } from './payload';
import { PROVIDERS } from './registry';
import type { SourceProvider, StoredWebhook } from './source';

const fixtures = join(__dirname, '..', '..', 'test', 'fixtures');
const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };

interface Shop {
  provider: string;
  topic: string;
  fixture: string;
  /** Below the order, or around it. */
  wrap?: string;
}

const SHOPS: Record<string, Shop> = {
  shopify: { provider: 'shopify', topic: 'orders/updated', fixture: 'shopify/order-paid.json' },
  woocommerce: {
    provider: 'woocommerce',
    topic: 'order.updated',
    fixture: 'woocommerce/order-processing.json',
  },
  standard: {
    provider: 'standard-webhooks',
    topic: '',
    fixture: 'standard-webhooks/order-paid.json',
    wrap: 'data',
  },
};

function providerOf({ provider }: Shop): SourceProvider {
  const found = PROVIDERS.find(({ id }) => id === provider);
  if (!found) throw new Error('no such provider');
  return found;
}

/** The shop's order with these fields instead of its own. */
function webhook({ fixture, topic, wrap }: Shop, changes: object): StoredWebhook {
  const body = JSON.parse(readFileSync(join(fixtures, fixture), 'utf8')) as Record<string, unknown>;
  const changed = wrap
    ? { ...body, [wrap]: { ...(body[wrap] as object), ...changes } }
    : { ...body, ...changes };
  return {
    topic,
    attributes: {},
    rawBody: Buffer.from(JSON.stringify(changed)),
    receivedAt: new Date('2026-08-10T12:00:00Z'),
  };
}

function normalise(shop: Shop, changes: object) {
  return providerOf(shop).normalise(webhook(shop, changes), context);
}

describe('a field name of a hundred thousand combining marks', () => {
  const marks = `a${'\u0315'.repeat(75_000)}${'\u0300'.repeat(75_000)}`;

  it.each([
    ['shopify', { note_attributes: [{ name: marks, value: marks }] }],
    ['woocommerce', { meta_data: [{ id: 1, key: marks, value: marks }] }],
  ])('of %s is not brought into order', (name, changes) => {
    const normalize = jest.spyOn(String.prototype, 'normalize');
    try {
      expect(normalise(SHOPS[name]!, changes)).toHaveProperty('events');
      const lengths = normalize.mock.contexts.map((text) => String(text).length);
      expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(100);
    } finally {
      normalize.mockRestore();
    }
  });
});

describe('a list that is too long', () => {
  const many = (count: number, item: object) => Array.from({ length: count }, (_, id) => ({ id, ...item }));
  const refund = { created_at: '2026-08-10T12:00:00Z', transactions: [], total: '-1.00', value: '1.00' };

  it.each([
    ['shopify', { refunds: many(9_000, refund) }, '$.refunds has 9000 elements; at most 500 are read'],
    ['shopify', { line_items: many(2_001, {}) }, '$.line_items has 2001 elements; at most 2000 are read'],
    [
      'shopify',
      { payment_gateway_names: Array<string>(2_001).fill('pix') },
      '$.payment_gateway_names has 2001 elements; at most 2000 are read',
    ],
    ['woocommerce', { refunds: many(501, refund) }, '$.refunds has 501 elements; at most 500 are read'],
    ['woocommerce', { fee_lines: many(2_001, {}) }, '$.fee_lines has 2001 elements; at most 2000 are read'],
    ['standard', { refunds: many(501, refund) }, '$.data.refunds has 501 elements; at most 500 are read'],
    ['standard', { lines: many(2_001, {}) }, '$.data.lines has 2001 elements; at most 2000 are read'],
  ])('makes a delivery of %s unreadable: %#', (name, changes, message) => {
    expect(() => normalise(SHOPS[name]!, changes)).toThrow(new UnreadablePayload(message));
  });

  it('is one made of many short ones as well', () => {
    const transactions = many(20, { kind: 'refund', status: 'success', amount: '0.01', currency: 'BRL' });
    expect(() => normalise(SHOPS['shopify']!, { refunds: many(400, { ...refund, transactions }) })).toThrow(
      /more than 5000 elements together/,
    );
  });

  it.each([
    ['shopify', 'note_attributes', 'name'],
    ['woocommerce', 'meta_data', 'key'],
  ])('of the own fields of %s is read as far as a thousand, and the order says so', (name, list, key) => {
    const fields = many(20_000, { [key]: 'x', value: 'y' });
    const chosen = { [key]: 'parcelas', value: '3' };
    const read = (last: number) => {
      const normalised = normalise(SHOPS[name]!, { [list]: fields.with(last, { id: 1, ...chosen }) });
      const [event] = 'events' in normalised ? normalised.events : [];
      if (!event || !('order' in event)) throw new Error('no order');
      return event.order;
    };
    const sentence = `Of 20000 fields in ${list} the first 1000 are read; a document or instalments may be missed.`;
    expect(read(999)).toMatchObject({ instalments: 3, differences: expect.arrayContaining([sentence]) });
    expect(read(1_000).instalments).not.toBe(3);
    expect(normalise(SHOPS[name]!, { [list]: fields.slice(0, 1_000) })).not.toMatchObject({
      events: [{ order: { differences: expect.arrayContaining([sentence]) } }],
    });
  });

  it('is none that a shop really sends', () => {
    const line = { title: 'Fio', quantity: 1, price: '1.00' };
    const transactions = many(2, { kind: 'refund', status: 'success', amount: '0.01', currency: 'BRL' });
    const order = {
      line_items: many(1_000, line),
      refunds: many(300, { ...refund, transactions }),
      note_attributes: many(500, { name: 'x', value: 'y' }),
    };
    expect(normalise(SHOPS['shopify']!, order)).toHaveProperty('events');
  });
});
