import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CustomerFacts, OrderFacts } from '../../events/event';
import { UnreadablePayload } from '../payload';
import type { FetchedAnswer, IncomingWebhook, Normalised, StoredWebhook } from '../source';
import { magento } from './magento';

const NOW = new Date('2026-08-20T12:00:00Z');
const ORDER_SAVED = 'com.adobe.commerce.observer.sales_order_save_commit_after';
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'magento');

type Json = Record<string, unknown>;

function fetched(name: string): Json {
  return JSON.parse(readFileSync(join(folder, 'fetched', `${name}.json`), 'utf8')) as Json;
}

function listed(name: string): Json[] {
  return (fetched(name) as { items: Json[] }).items;
}

function answer(name: string, value: unknown, status = 200): FetchedAnswer {
  return { name, status, body: Buffer.from(JSON.stringify(value)) };
}

function list(name: string, items: Json[], total = items.length): FetchedAnswer {
  return answer(name, { items, total_count: total });
}

function event(value: Json, type = ORDER_SAVED): Json {
  return { id: 'event-1', type, data: { value } };
}

function delivery(body: Json, answers: readonly FetchedAnswer[] = []): StoredWebhook {
  const rawBody = Buffer.from(JSON.stringify(body));
  return { topic: '', attributes: {}, rawBody, receivedAt: NOW, fetched: answers };
}

function normalise(webhook: StoredWebhook, settings: Json = {}): Normalised {
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings };
  return magento.normalise(webhook, context);
}

/** An order that is fetched as this, with these invoices and credit memos. */
function reading(order: Json, invoices: Json[] = [], memos: Json[] = [], settings: Json = {}): Normalised {
  const answers = [answer('order', order), list('invoices', invoices), list('creditmemos', memos)];
  return normalise(delivery(event({ entity_id: order['entity_id'] }), answers), settings);
}

function factsOf(normalised: Normalised): OrderFacts {
  const [first] = 'events' in normalised ? normalised.events : [];
  if (!first || !('order' in first)) throw new Error('no order');
  return first.order;
}

const typesOf = (normalised: Normalised): string[] =>
  'events' in normalised ? normalised.events.map(({ type }) => type) : [];

const paymentsOf = (facts: OrderFacts): string[] =>
  facts.payments.map(({ key, value }) => `${key.split('/').at(-1)} ${value.toString()}`);

const PAID = fetched('order-101-paid');
const [INVOICE = {}] = listed('order-101-invoices');
const [MEMO = {}] = listed('order-101-part-back-creditmemos');

describe("Adobe's challenge", () => {
  const ask = (method: string, challenge?: string) =>
    magento.handshake?.({ method, headers: {}, query: { challenge }, rawBody: Buffer.alloc(0) });

  it('is repeated as JSON', () => {
    const challenge = '8ec8d794-e0ab-42df-9017-e3dada8e84f7';
    expect(ask('GET', challenge)).toEqual({
      status: 200,
      contentType: 'application/json; charset=utf-8',
      body: `{"challenge":"${challenge}"}`,
    });
  });

  it('is nothing else that anybody asks for', () => {
    for (const text of [undefined, '', '<script>', 'a b', 'a'.repeat(101)])
      expect(ask('GET', text)).toBeUndefined();
    expect(ask('POST', 'abc')).toBeUndefined();
  });
});

describe('what an event of Adobe Commerce is known by', () => {
  const identify = (body: Json) => magento.identify(requestOf(body));
  const requestOf = (body: Json): IncomingWebhook => ({
    ...{ method: 'POST', headers: {}, query: {} },
    rawBody: Buffer.from(JSON.stringify(body)),
  });

  it('is its id', () => {
    expect(identify(event({ entity_id: 7 }))).toEqual({
      ...{ topic: ORDER_SAVED, dedupeKey: 'event-1', orderingKey: 'order/7', attributes: {} },
    });
    expect(identify({ ...event({ entity_id: 7 }), id: null }).dedupeKey).toMatch(/^sha256:/);
  });

  it.each([
    ['sales_order_save_after', { id: '7' }, 'order/7'],
    ['sales_order_invoice_save_commit_after', { entity_id: 3, order_id: 7 }, 'order/7'],
    ['sales_order_creditmemo_save_commit_after', { entity_id: 3, order_id: '7' }, 'order/7'],
    ['customer_save_commit_after', { id: 7 }, 'customer/7'],
    ['sales_order_save_commit_after', { increment_id: '000000007' }, 'delivery/event-1'],
    ['catalog_product_save_commit_after', { entity_id: 7 }, 'delivery/event-1'],
  ])('of %s with %j is worked on in %s', (name, value, lane) => {
    expect(identify(event(value, `com.adobe.commerce.observer.${name}`)).orderingKey).toBe(lane);
  });

  it('moves to the lane of the order that its number is of', () => {
    const order = { ...PAID, increment_id: 'A-7' };
    const webhook = delivery(event({ increment_id: 'A-7' }), [list('order', [order])]);
    expect(magento.fetchBack?.orderingKey?.(webhook)).toBe('order/101');
    expect(magento.fetchBack?.orderingKey?.(delivery(event({ entity_id: 101 })))).toBeUndefined();
  });
});

describe('what is fetched from the shop', () => {
  const next = (body: Json, answers: FetchedAnswer[] = []) =>
    magento.fetchBack?.next(delivery(body, answers), { settings: {}, credentials: { accessToken: 't' } });

  it('is asked for with the token of the integration', () => {
    expect(next(event({ entity_id: 101 }))).toMatchObject({
      path: '/rest/V1/orders/101',
      headers: { authorization: 'Bearer t' },
    });
  });

  it('is the order alone while nothing is invoiced', () => {
    for (const [state, changes, further] of [
      ['new', {}, undefined],
      ['pending_payment', { total_paid: 0, total_invoiced: '0.0000' }, undefined],
      ['new', { total_paid: 10 }, 'invoices'],
      ['processing', {}, 'invoices'],
      ['canceled', {}, 'invoices'],
    ] as const) {
      const { total_paid: _paid, total_invoiced: _invoiced, ...bare } = PAID;
      const order = answer('order', { ...bare, state, ...changes });
      expect([state, changes, next(event({ entity_id: 101 }), [order])?.name]).toEqual([
        ...[state, changes, further],
      ]);
    }
  });

  it.each([
    [{ entity_id: '7/../8' }, '$.data.value.entity_id is not an identifier'],
    [{ entity_id: 'x' }, '$.data.value.entity_id is not a number'],
    [{ ext_order_id: '' }, '$.data.value.entity_id is missing'],
    [{ increment_id: 'a&b=c' }, '$.data.value.increment_id is not the number of an order'],
  ])('is nothing where the event names %j', (value, complaint) => {
    expect(() => next(event(value))).toThrow(new UnreadablePayload(complaint));
  });

  it.each<[string, FetchedAnswer[], string]>([
    ['another order', [answer('order', { ...PAID, entity_id: 8 })], 'entity_id is not that of the order'],
    ['no lists', [answer('order', PAID)], 'the invoices of the order have not been fetched'],
    [
      'an invoice of another order',
      [answer('order', PAID), list('invoices', [{ ...INVOICE, order_id: 8 }]), list('creditmemos', [])],
      'order_id is not that of the order',
    ],
    [
      'a part of a list',
      [answer('order', PAID), list('invoices', [INVOICE], 101), list('creditmemos', [])],
      'there are more invoices than are read',
    ],
    [
      'another page than a list',
      [answer('order', PAID), answer('invoices', {}), list('creditmemos', [])],
      '$.total_count is missing',
    ],
  ])('is not believed where it is %s', (_what, answers, complaint) => {
    expect(() => normalise(delivery(event({ entity_id: 101 }), answers))).toThrow(complaint);
  });

  it('is no order where its number is of none, and a person’s where it is of several', () => {
    const found = (items: Json[]) =>
      normalise(delivery(event({ increment_id: 'A-7' }), [list('order', items)]));
    expect(found([])).toEqual({ ignored: 'the order A-7 is not there any more' });
    const order = { ...PAID, increment_id: 'A-7' };
    expect(() => found([order, order])).toThrow('several orders of this number');
    expect(() => found([PAID])).toThrow('increment_id is not that of the order');
  });
});

describe('the payments of an order of Adobe Commerce', () => {
  const invoice = (id: number, total: number, changes: Json = {}): Json => ({
    ...{ ...INVOICE, entity_id: id, grand_total: total, ...changes },
  });

  it('keep their keys when an earlier invoice is paid later, or cancelled', () => {
    const order = { ...PAID, total_paid: 89.9 };
    const later = [invoice(10, 89.9), invoice(9, 100, { state: 1 })];
    expect(paymentsOf(factsOf(reading(order, later)))).toEqual(['10 89.90']);
    const both = [invoice(10, 89.9), invoice(9, 100)];
    expect(paymentsOf(factsOf(reading(PAID, both)))).toEqual(['paid 100.00', '10 89.90']);
    const cancelled = [invoice(10, 89.9), invoice(9, 100, { state: 3 })];
    expect(paymentsOf(factsOf(reading(order, cancelled)))).toEqual(['10 89.90']);
  });

  it('have the same key without an invoice, and say that their date is a guess', () => {
    const { payments } = factsOf(reading(PAID));
    expect(payments).toMatchObject([{ key: 'loja/order/101/payment/paid', datedBy: 'its last change' }]);
    expect(factsOf(reading(PAID, [INVOICE])).payments[0]?.key).toBe('loja/order/101/payment/paid');
  });

  it('make it paid when they come to its total, store credit included', () => {
    const part = { ...PAID, total_paid: 100 };
    expect(factsOf(reading(part, [invoice(501, 100)])).paidAt).toBeUndefined();
    const credit = { customer_balance_amount: 89.9, gift_cards_amount: '0.0000' };
    const mixed = { ...part, grand_total: 100, extension_attributes: credit };
    const facts = factsOf(reading(mixed, [invoice(501, 100)]));
    expect([facts.total.toString(), facts.paidAt, facts.differences]).toEqual([
      ...['189.90', new Date('2026-08-05T02:30:10Z'), []],
    ]);
    expect(facts.payments.map(({ storeCredit }) => storeCredit)).toEqual([true, undefined]);
  });

  it.each<[Json, Json[], string]>([
    [{ total_paid: 100 }, [INVOICE], 'The paid invoices come to 189.90 BRL, but the order says 100.00 BRL.'],
    [
      { subtotal: 170 },
      [INVOICE],
      'Goods, discounts, shipping and taxes come to 190.00 BRL, but the order says 189.90 BRL.',
    ],
    [
      { state: 'complete', total_paid: 100 },
      [{ ...INVOICE, grand_total: 100 }],
      'The payments come to 100.00 BRL, but the order says 189.90 BRL.',
    ],
    [
      { total_paid: 200 },
      [{ ...INVOICE, grand_total: 200 }],
      'The payments come to 200.00 BRL, but the order says 189.90 BRL.',
    ],
    [{ state: 'closed' }, [INVOICE], 'The order is closed, but no credit memo says what went back.'],
    [
      { total_refunded: 10 },
      [INVOICE],
      'The credit memos come to 0.00 BRL, but the order says that 10.00 BRL went back.',
    ],
  ])('are compared with what the order says: %j', (changes, invoices, sentence) => {
    expect(factsOf(reading({ ...PAID, ...changes }, invoices)).differences).toEqual([sentence]);
  });

  it('are of the order’s own currency', () => {
    const other = { ...INVOICE, order_currency_code: 'USD' };
    expect(() => reading(PAID, [other])).toThrow('order_currency_code is not that of the order');
  });

  it.each(['1e-1', '-5', '10.005', 'x'])('are unreadable where an invoice is of %s', (grand_total) => {
    expect(() => reading(PAID, [{ ...INVOICE, grand_total }])).toThrow(UnreadablePayload);
  });

  it.each([
    ['banktransfer', 'Transferência', true],
    ['modulo', 'Boleto Itaú', true],
    ['loja_pix', '', true],
    ['braintree', 'Cartão', false],
  ])('by %s (%s) are waited for: %s', (method, title, isAwaited) => {
    const payment_additional_info = [{ key: 'method_title', value: title }];
    const order = { ...fetched('order-101-new'), payment: { method } };
    const types = typesOf(reading({ ...order, extension_attributes: { payment_additional_info } }));
    expect(types.includes('order.pending')).toBe(isAwaited);
  });

  it('are in as many instalments as the gateway’s module says', () => {
    const info = (key: string) => ({ payment_additional_info: [{ key, value: '6x' }] });
    const instalments = (key: string, settings: Json = {}) =>
      factsOf(reading({ ...PAID, extension_attributes: info(key) }, [INVOICE], [], settings)).instalments;
    expect([instalments('installments'), instalments('cc_installments'), instalments('qtd')]).toEqual([
      6, 6, 1,
    ]);
    expect(instalments('qtd', { instalmentsField: 'qtd' })).toBe(6);
  });
});

describe('what goes back of an order of Adobe Commerce', () => {
  const memo = (id: number, total: number, changes: Json = {}): Json => ({
    ...{ ...MEMO, entity_id: id, grand_total: total, ...changes },
  });
  const refunded = (memos: Json[], sum: number, extension: Json = {}): OrderFacts =>
    factsOf(reading({ ...PAID, total_refunded: sum, extension_attributes: extension }, [INVOICE], memos));
  const reported = ({ refunds }: OrderFacts) =>
    refunds.map(({ key, value, storeCredit }) => [key.split('/').at(-1), value.toString(), storeCredit]);

  const sorted = (facts: OrderFacts) =>
    reported(facts).toSorted(([left = ''], [right = '']) => (String(left) < String(right) ? -1 : 1));

  it('is each credit memo that is neither open nor cancelled', () => {
    const memos = [memo(2, 20), memo(1, 10), memo(3, 30, { state: 1 }), memo(4, 40, { state: 3 })];
    const facts = refunded(memos, 30);
    expect([reported(facts), facts.differences]).toEqual([
      [
        ['1', '10.00', undefined],
        ['2', '20.00', undefined],
      ],
      [],
    ]);
  });

  it('is no money where all of it was given as store credit', () => {
    const facts = refunded([memo(1, 10), memo(2, 20)], 30, { customer_balance_total_refunded: 30 });
    expect(reported(facts)).toEqual([
      ['1', '10.00', true],
      ['2', '20.00', true],
    ]);
    expect(facts.differences).toEqual([]);
  });

  it('is money where only what store credit had paid went back as store credit', () => {
    const extension_attributes = { customer_balance_amount: 5, reward_currency_amount: 2 };
    const own = { ...extension_attributes, customer_balance_total_refunded: 5 };
    const memos = [memo(1, 10, { extension_attributes })];
    const order = { ...PAID, grand_total: 182.9, total_paid: 182.9, total_refunded: 10 };
    const paid = { ...INVOICE, grand_total: 182.9 };
    const facts = factsOf(reading({ ...order, extension_attributes: own }, [paid], memos));
    expect([reported(facts), facts.differences]).toEqual([
      [
        ['1', '10.00', undefined],
        ['1-store-credit', '5.00', true],
        ['1-reward-points', '2.00', true],
      ],
      [],
    ]);
  });

  it('is a person’s where a part was given as store credit', () => {
    const facts = refunded([memo(1, 10), memo(2, 20)], 30, { customer_balance_total_refunded: 20 });
    expect(facts.refunds).toEqual([]);
    expect(facts.differences).toEqual([
      'Of 30.00 BRL that went back, 20.00 BRL were given as store credit, and nothing says by which credit memo: book them by hand.',
    ]);
  });

  it('is a gift card’s, although its value was given as store credit', () => {
    const gift_cards_amount = 189.9;
    const order = { ...PAID, grand_total: 0, total_paid: 0, total_refunded: 0, state: 'closed' };
    const extension_attributes = { gift_cards_amount, customer_balance_total_refunded: 189.9 };
    const memos = [memo(1, 0, { extension_attributes: { gift_cards_amount } })];
    const paid = { ...INVOICE, grand_total: 0 };
    const facts = factsOf(reading({ ...order, extension_attributes }, [paid], memos));
    expect([reported(facts), facts.differences]).toEqual([[['1-gift-cards', '189.90', true]], []]);
  });

  it.each([
    ['60.00', 129.9, 129.9],
    ['94.95', 94.95, 94.95],
  ])(
    'of %s is money where a gift card that paid the rest went back as store credit',
    (money, gift, credit) => {
      const gift_cards_amount = gift;
      const order = {
        ...PAID,
        grand_total: money,
        total_paid: money,
        total_refunded: money,
        state: 'closed',
      };
      const memos = [memo(1, Number(money), { extension_attributes: { gift_cards_amount } })];
      const back = (customer_balance_total_refunded: number): OrderFacts => {
        const extension_attributes = { gift_cards_amount, customer_balance_total_refunded };
        const invoice = { ...INVOICE, grand_total: money };
        return factsOf(reading({ ...order, extension_attributes }, [invoice], memos));
      };
      const card = ['1-gift-cards', gift.toFixed(2), true];
      expect([sorted(back(credit)), back(credit).differences]).toEqual([[['1', money, undefined], card], []]);
      const all = back(gift + Number(money));
      expect([sorted(all), all.differences]).toEqual([[['1', money, true], card], []]);
    },
  );

  it('names its payment where there is one alone', () => {
    const back = (invoices: Json[]) =>
      factsOf(reading({ ...PAID, total_refunded: 10 }, invoices, [memo(1, 10)]));
    expect(back([INVOICE]).refunds[0]?.paymentKey).toBe('loja/order/101/payment/paid');
    const two = [
      { ...INVOICE, grand_total: 100 },
      { ...INVOICE, entity_id: 502, grand_total: 89.9 },
    ];
    expect(back(two).refunds[0]?.paymentKey).toBeUndefined();
  });

  it('is reported where nothing was paid', () => {
    const { total_paid: _paid, ...unpaid } = PAID;
    const facts = factsOf(reading({ ...unpaid, total_refunded: 10 }, [], [memo(1, 10)]));
    expect(facts.differences).toContain(
      '10.00 BRL went back, but nothing says that the order was paid in full.',
    );
  });
});

describe('an order of Adobe Commerce', () => {
  it.each([
    [event({ entity_id: 101, created_at: 'x', updated_at: 'x' }), true],
    [event({ entity_id: 101, created_at: 'x', updated_at: 'y' }), false],
    [event({ entity_id: 101 }), false],
    [event({ entity_id: 101 }, 'com.adobe.commerce.observer.sales_order_place_after'), true],
    [
      event(
        { order_id: 101, created_at: 'x', updated_at: 'x' },
        'com.adobe.commerce.observer.sales_order_invoice_save_commit_after',
      ),
      false,
    ],
  ])('with the event %j was just made: %s', (body, isNew) => {
    const answers = [answer('order', PAID), list('invoices', [INVOICE]), list('creditmemos', [])];
    expect(typesOf(normalise(delivery(body, answers))).includes('order.created')).toBe(isNew);
  });

  it('is not read of an event of a kind of its own', () => {
    const type = 'com.adobe.commerce.observer.my_own_order_event';
    expect(normalise(delivery(event({ entity_id: 101 }, type)))).toEqual({
      ignored: `type ${type} is none that Ponte reads`,
    });
  });

  it('does not say that a part of it was cancelled where all of it was', () => {
    const order = { ...PAID, state: 'canceled', total_canceled: 189.9 };
    const normalised = reading(order, [INVOICE]);
    expect(typesOf(normalised)).toEqual(['order.paid', 'order.cancelled']);
    expect(factsOf(normalised).differences).toEqual([]);
  });

  it('has the lines that were sold, and says which of them is a gift card', () => {
    const items = [
      { name: 'Kit', sku: 'K', qty_ordered: 3, row_total: 100, item_id: 1 },
      { name: 'Parte', sku: 'P', qty_ordered: 3, row_total: 60, parent_item_id: 1 },
      { name: 'Vale', qty_ordered: 1, row_total: 89.9, product_type: 'giftcard' },
      { sku: 'nameless', qty_ordered: 1, row_total: 0 },
    ];
    const { lines, differences } = factsOf(reading({ ...PAID, items }, [INVOICE]));
    expect(lines.map(({ title, giftCard }) => [title, giftCard])).toEqual([
      ['3 × Kit', undefined],
      ['Vale', true],
    ]);
    expect(differences).toEqual([expect.stringContaining('A line is left out')]);
  });
});

describe('who bought at Adobe Commerce', () => {
  const buyer = (changes: Json, billing: Json = {}, settings: Json = {}): CustomerFacts => {
    const { customer_taxvat: _taxvat, ...order } = PAID;
    const billing_address = { ...(order['billing_address'] as Json), ...billing };
    return factsOf(reading({ ...order, ...changes, billing_address }, [INVOICE], [], settings)).customer;
  };
  const CPF = '417.203.958-88';
  const CNPJ = '47.318.265/0001-04';

  it.each<[Json, Json, Json, string | undefined]>([
    [{ customer_taxvat: CPF }, { vat_id: CNPJ }, {}, CPF],
    [{}, { vat_id: CNPJ }, {}, CNPJ],
    [{ extension_attributes: { cpf: CPF } }, {}, {}, CPF],
    [{}, { extension_attributes: { registro: CPF } }, { documentField: 'registro' }, CPF],
    [{}, { company: CNPJ }, {}, CNPJ],
    [{ customer_taxvat: '123' }, {}, {}, '123'],
    [{}, {}, {}, undefined],
  ])(
    'with %j and the address %j has the document of the settings %j: %s',
    (changes, billing, settings, is) => {
      expect(buyer(changes, billing, settings).document).toBe(is);
    },
  );

  it('is the company where the document is a CNPJ', () => {
    expect(buyer({}, { company: 'Oficina', vat_id: CNPJ }).name).toBe('Oficina');
    expect(buyer({}, { company: 'Oficina', vat_id: CPF }).name).toBe('Lia Campos');
  });

  it('is a guest of the order without an account', () => {
    expect(buyer({ customer_id: null }).key).toBe('loja/order/101/guest');
  });

  it.each<[string[], string, Json]>([
    [['Rua A', '12', 'Apto 3', 'Centro'], 'BR', { number: '12', line2: 'Apto 3', district: 'Centro' }],
    [['Rua A', '12', '', 'Centro'], 'BR', { number: '12', district: 'Centro' }],
    [['Rua A', 'S/N', '', 'Centro'], 'BR', { number: 'S/N', district: 'Centro' }],
    [['Rua A', 'Bloco B', 'Apto 3', 'Centro'], 'BR', { line2: 'Bloco B, Apto 3, Centro' }],
    [['Rua A', '12', 'Centro'], 'BR', { line2: '12, Centro' }],
    [['Rua A', '12', 'x', 'y'], 'PT', { line2: '12, x, y' }],
    [['Rua A'], 'BR', {}],
  ])('lives at %j in %s', (street, country_id, parts) => {
    const { address = {} } = buyer({}, { street, country_id });
    const { city: _city, state: _state, zipCode: _zip, country: _country, ...lines } = address;
    expect(lines).toEqual({ line1: 'Rua A', ...parts });
  });
});
