import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderFacts } from '../../events/event';
import { Money } from '../../kernel/money';
import type { IncomingWebhook } from '../source';
import { woocommerce } from './woocommerce';

const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'woocommerce');
const order = JSON.parse(readFileSync(join(folder, 'order-processing.json'), 'utf8')) as Record<
  string,
  unknown
>;
const receivedAt = new Date('2026-08-10T12:00:00Z');
const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };

function ping(changes: Partial<IncomingWebhook> = {}): IncomingWebhook {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    query: {},
    rawBody: Buffer.from('webhook_id=12'),
    ...changes,
  };
}

function normalise(changes: Record<string, unknown>, settings: Record<string, unknown> = {}) {
  const rawBody = Buffer.from(JSON.stringify({ ...order, ...changes }));
  return woocommerce.normalise(
    { topic: 'order.updated', attributes: {}, rawBody, receivedAt },
    { ...context, settings },
  );
}

function factsOf(changes: Record<string, unknown>, settings: Record<string, unknown> = {}): OrderFacts {
  const normalised = normalise(changes, settings);
  const [event] = 'events' in normalised ? normalised.events : [];
  if (!event || !('order' in event)) throw new Error('no order');
  return event.order;
}

describe('the WooCommerce ping', () => {
  it('is answered although it is unsigned', () => {
    expect(woocommerce.handshake?.(ping())).toMatchObject({ status: 200 });
  });

  it.each([
    ['has a topic', { headers: { 'x-wc-webhook-topic': 'order.created' } }],
    ['has a signature', { headers: { 'x-wc-webhook-signature': 'x' } }],
    ['is a GET', { method: 'GET' }],
    ['holds more', { rawBody: Buffer.from('webhook_id=12&total=5') }],
    ['is empty', { rawBody: Buffer.alloc(0) }],
    ['is JSON', { rawBody: Buffer.from('{"webhook_id":12}') }],
  ])('is none when it %s', (_what, changes) => {
    expect(woocommerce.handshake?.(ping(changes))).toBeUndefined();
  });
});

describe('what a WooCommerce delivery is known by', () => {
  const identify = (headers: Record<string, string>, body: string) =>
    woocommerce.identify(ping({ headers, rawBody: Buffer.from(body) }));

  it('is its topic and content, because delivery ids repeat', () => {
    const first = identify(
      { 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-delivery-id': '1' },
      '{"id":5}',
    );
    const again = identify(
      { 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-delivery-id': '2' },
      '{"id":5}',
    );
    const other = identify(
      { 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-delivery-id': '1' },
      '{"id":6}',
    );
    const topic = identify(
      { 'x-wc-webhook-topic': 'order.created', 'x-wc-webhook-delivery-id': '1' },
      '{"id":5}',
    );
    expect(again.dedupeKey).toBe(first.dedupeKey);
    expect(new Set([first, other, topic].map(({ dedupeKey }) => dedupeKey)).size).toBe(3);
  });

  it.each([
    ['order.updated', 'order/5'],
    ['order.deleted', 'order/5'],
    ['customer.updated', 'customer/5'],
  ])('under %s is worked on in lane %s', (topic, lane) => {
    expect(identify({ 'x-wc-webhook-topic': topic }, '{"id":5}').orderingKey).toBe(lane);
  });

  it('keeps products out of the lanes of orders', () => {
    const identity = identify({ 'x-wc-webhook-topic': 'product.updated' }, '{"id":5}');
    expect(identity.orderingKey).toBe(`delivery/${identity.dedupeKey}`);
  });
});

/** Without a payment date. */
const undated = { date_paid: null, date_paid_gmt: null };
const meta = (key: string, value: unknown) => ({ meta_data: [{ id: 7, key, value }] });

describe('a WooCommerce order', () => {
  it.each([
    ['processing', {}, true],
    ['completed', {}, true],
    ['on-hold', {}, true],
    ['on-hold', undated, false],
    ['pending', undated, false],
    ['failed', undated, false],
    ['cancelled', {}, true],
    ['cancelled', undated, false],
    ['enviado', {}, true],
    ['enviado', { date_paid_gmt: null }, true],
    ['enviado', { date_paid: null }, true],
    ['enviado', undated, false],
    ['refunded', {}, true],
    ['refunded', { ...undated, refunds: [{ id: 1, total: '-1.00' }] }, false],
    ['processing', { payment_method: 'cod', ...undated }, false],
    ['completed', { payment_method: 'cod', ...undated }, true],
    ['processing', { payment_method: 'cod' }, true],
    ['processing', { payment_method: 'bacs', ...undated }, false],
    ['processing', { payment_method: 'cheque', ...undated }, false],
    ['processing', { payment_method: 'bacs' }, true],
    ['completed', { payment_method: 'bacs', ...undated }, true],
    ['processing', undated, true],
  ])('that is %s with %j is paid: %s', (status, changes, paid) => {
    const normalised = normalise({ status, ...changes });
    const types = 'events' in normalised ? normalised.events.map(({ type }) => type) : [];
    expect(types.includes('order.paid')).toBe(paid);
  });

  it.each(['partially-paid', 'partial-payment', 'deposit'])(
    'that is %s has a payment date of its first part, and asks a person',
    (status) => {
      const detail = `The order is ${status}: a part of it was paid, and nothing says how much. Its whole total is booked when all of it is paid.`;
      expect(normalise({ status })).toEqual({
        ignored: expect.stringContaining(status),
        unbooked: [
          {
            businessKey: 'loja/order/5231',
            code: 'order-differs',
            detail,
            value: Money.parse('250.00', 'BRL'),
          },
        ],
      });
      expect(factsOf({ status }, { paidStatuses: status }).paidAt).toBeDefined();
    },
  );

  it('is paid in the statuses the source names; in processing and completed only where it names them', () => {
    const settings = { paidStatuses: 'wc-shipped, completed' };
    expect(factsOf({ status: 'shipped', ...undated }, settings).paidAt).toBeDefined();
    expect(factsOf({ status: 'shipped', payment_method: 'bacs', ...undated }, settings).paidAt).toBeDefined();
    expect(normalise({ status: 'shipped', payment_method: 'cod', ...undated }, settings)).toEqual({
      ignored: expect.any(String),
    });
    expect(normalise({ status: 'processing' }, settings)).toEqual({ ignored: expect.any(String) });
    expect(factsOf({ status: 'enviado' }, settings).paidAt).toEqual(new Date('2026-08-01T01:15:38Z'));
  });

  it.each(['pending', 'on-hold', 'failed'])('that is %s and has a payment date says two things', (status) => {
    expect(factsOf({ status }).differences).toEqual([
      `The order has a payment date, but is ${status}: its status says that it is not paid.`,
    ]);
  });

  it('was paid at its UTC date, else at the wall time of the shop', () => {
    for (const changes of [{}, { date_paid_gmt: null }]) {
      const { paidAt, differences } = factsOf(changes);
      expect([paidAt?.toISOString(), differences]).toEqual(['2026-08-01T01:15:38.000Z', []]);
    }
  });

  it.each([
    [{ date_completed_gmt: '2026-08-03T10:00:00' }, '2026-08-03T10:00:00.000Z', 'date_completed'],
    [{}, '2026-08-01T01:14:09.000Z', 'date_created'],
    [{ status: 'completed', payment_method: 'bacs' }, '2026-08-01T01:15:40.000Z', 'its last change'],
  ])('without a payment date, with %j, was paid at %s: %s dates it', (changes, at, by) => {
    const { payment } = factsOf({ ...undated, ...changes });
    expect([payment?.paidAt.toISOString(), payment?.datedBy]).toEqual([at, by]);
  });

  it.each([
    ['_wcpay_mode', 'test', true],
    ['_wcpay_mode', 'prod', false],
    ['is_production_mode', 'no', true],
    ['is_production_mode', 'yes', false],
    ['_pagbank_environment', 'sandbox', true],
    ['_pagbank_environment', 'production', false],
    ['pagbank_is_sandbox', '1', true],
    ['pagbank_is_sandbox', 1, true],
    ['pagbank_is_sandbox', '0', false],
    ['_ppcp_paypal_payment_mode', 'sandbox', true],
    ['_ppcp_paypal_payment_mode', 'live', false],
    ['mode', 'test', false],
  ])('whose plugin says %s = %j is a test: %s', (key, value, test) => {
    expect(factsOf(meta(key, value)).test).toBe(test);
    expect(factsOf(meta(key, value), { bookTestOrders: true }).test).toBe(false);
  });

  it.each([
    ['_pagbank_credit_card_installments', 3, 3],
    ['pagbank_card_installments', '6', 6],
    ['_wc_rede_transaction_installments', '10', 10],
    ['mp_installments', '4', 4],
    ['_virt_erede_installments', '5', 5],
    ['_wc_maxipago_transaction_installments', '2', 2],
  ])('whose plugin says %s = %j is paid in %d instalments', (key, value, instalments) => {
    const facts = factsOf(meta(key, value));
    expect([facts.instalments, facts.differences]).toEqual([instalments, []]);
  });

  it.each([
    ['_novo_gateway_parcelas', '3', 1],
    ['_novo_gateway_parcelas', '1', 0],
    ['_max_installments', '12', 0],
    ['_parcelas_sem_juros', '12', 0],
  ])('reports %s = %s, when it seems to hold the instalments: %d', (key, value, reported) => {
    const facts = factsOf(meta(key, value));
    expect([facts.instalments, facts.differences.length]).toEqual([1, reported]);
  });

  it('reports money that goes back before the order was paid', () => {
    const refunds = [
      { id: 1, total: '-10.50' },
      { id: 2, total: '-4.00' },
    ];
    expect(factsOf({ status: 'refunded', ...undated, refunds }).differences).toEqual([
      '14.50 BRL went back, but nothing says that the order was paid in full.',
    ]);
    expect(factsOf({ refunds }).differences).toEqual([]);
  });

  it.each([
    [[], '0.00'],
    [[{ id: 1, total: '-100.00' }], '100.00'],
  ])('that is refunded with the refunds %j says that more has to have gone back', (refunds, back) => {
    expect(factsOf({ status: 'refunded', refunds }).differences).toEqual([
      `The order is refunded, but its refunds come to ${back} BRL, and its total is 250.00 BRL.`,
    ]);
  });

  it('that is refunded in full has nothing to say', () => {
    const refunds = [
      { id: 1, total: '-100.00' },
      { id: 2, total: '-150.00' },
    ];
    expect(factsOf({ status: 'refunded', refunds }).differences).toEqual([]);
  });

  it('has the same payment key in every status', () => {
    const keys = ['processing', 'completed', 'refunded'].map((status) => {
      const normalised = normalise({ status });
      const [event] = 'events' in normalised ? normalised.events : [];
      return event?.type === 'order.paid' ? event.order.payment?.key : undefined;
    });
    expect(keys).toEqual(Array(3).fill('loja/order/5231/payment/paid'));
  });

  it('gives refunds as positive amounts, whichever sign they came with', () => {
    const refunds = [
      { id: 1, total: '-10.50' },
      { id: 2, total: '4.00' },
      { id: 3, total: '0.00' },
    ];
    expect(factsOf({ refunds }).refunds.map(({ key, value }) => [key, value.toString()])).toEqual([
      ['loja/order/5231/refund/1', '10.50'],
      ['loja/order/5231/refund/2', '4.00'],
    ]);
  });

  it.each([
    [{ persontype: 'F', cpf: '417.203.958-88', cnpj: '47.318.265/0001-04' }, '417.203.958-88'],
    [{ persontype: '1', cpf: '417.203.958-88', cnpj: '47.318.265/0001-04' }, '417.203.958-88'],
    [{ persontype: 'J', cpf: '417.203.958-88', cnpj: '47.318.265/0001-04' }, '47.318.265/0001-04'],
    [{ persontype: '2', cpf: '417.203.958-88', cnpj: '47.318.265/0001-04' }, '47.318.265/0001-04'],
    [{ cpf: '', cnpj: '12ABC34501DE35' }, '12ABC34501DE35'],
    [{ cpf: '111', cnpj: '' }, '111'],
    [{ company: '47318265000104' }, '47318265000104'],
    [{ company: 'Oficina' }, undefined],
  ])('billed to %j has the document %s', (billing, document) => {
    expect(factsOf({ billing }).customer.document).toBe(document);
  });

  it('finds document and instalments among custom fields, whatever else plugins put there', () => {
    const meta_data = [
      { id: 1, key: '_weird', value: { deep: [1] } },
      { id: 2, key: 'installments', value: { count: 3 } },
      { id: 3, key: '_billing_cpf', value: '417.203.958-88' },
      { id: 4, key: '_parcelas', value: '10' },
    ];
    const facts = factsOf({ billing: [], meta_data });
    expect([facts.customer.document, facts.instalments]).toEqual(['417.203.958-88', 10]);
  });

  it.each(['_rm_pagbank_customer_document', 'customer_document', '_billing_cnpj'])(
    'of which a plugin says %s has that document',
    (key) => {
      const meta_data = [{ id: 1, key, value: '47318265000104' }];
      expect(factsOf({ billing: { first_name: 'Ana' }, meta_data }).customer.document).toBe('47318265000104');
    },
  );

  it('is a guest of its own when the customer is 0', () => {
    expect(factsOf({ customer_id: 0 }).customer.key).toBe('loja/order/5231/guest');
    expect(factsOf({ customer_id: 38 }).customer.key).toBe('loja/customer/38');
  });

  it('reports a total that disagrees with its parts', () => {
    expect(factsOf({ total: '249.99' }).differences).toEqual([
      'Goods, fees, shipping and taxes come to 250.00 BRL, but the order says 249.99 BRL.',
    ]);
  });

  it('does not compare amounts that show more decimals than the currency has', () => {
    const line_items = [{ name: 'A', quantity: 1, subtotal: '10.0000', total: '9.9950', price: 10 }];
    const facts = factsOf({ line_items, total: '30.0000' });
    expect(facts.differences).toEqual([]);
    expect(facts.total.toString()).toBe('30.00');
  });

  it.each(['checkout-draft', 'auto-draft', 'trash'])('that is %s is none', (status) => {
    expect(normalise({ status })).toEqual({ ignored: expect.stringContaining(status) });
  });
});

describe('a WooCommerce order paid by Asaas', () => {
  const asaas = (changes: Record<string, unknown>) => ({
    meta_data: [
      {
        ...{ id: 9, key: '__ASAAS_ORDER' },
        value: JSON.stringify({
          ...{ object: 'payment', id: 'pay_9810020030040050', value: 250, netValue: 249.01 },
          ...{ dueDate: '2026-08-03', billingType: 'PIX', ...changes },
        }),
      },
    ],
  });
  const charge = (changes: Record<string, unknown>) => {
    const order = { status: 'on-hold', ...undated, payment_method: 'asaas-pix', ...asaas(changes) };
    const normalised = normalise(order);
    const [event] = 'events' in normalised ? normalised.events : [];
    return event && 'order' in event ? event.order.charge : undefined;
  };

  it('waits for the Pix that Asaas made', () => {
    const pix = { payload: '00020126580014br.gov.bcb.pix0136loja', expirationDate: '2026-08-04 23:59:59' };
    expect(charge(pix)).toMatchObject({
      line: '00020126580014br.gov.bcb.pix0136loja',
      expiresAt: new Date('2026-08-05T02:59:59Z'),
    });
  });

  it('waits for a boleto until its due date', () => {
    const boleto = charge({ billingType: 'BOLETO', dueDate: '2026-08-03' });
    expect([boleto?.dueDate?.toString(), boleto?.line]).toEqual(['2026-08-03', undefined]);
  });

  it.each([
    ['what Asaas keeps', {}, '0.99'],
    ['nothing where Asaas has another value, as with instalments', { value: 83.33, netValue: 81 }, undefined],
    ['nothing where Asaas does not say what is left', { netValue: null }, undefined],
    ['nothing where what is left is not an amount', { netValue: 'x' }, undefined],
  ])('has as its fee %s', (_what, changes, fee) => {
    expect(factsOf(asaas(changes)).payment?.fee?.toString()).toBe(fee);
  });

  it.each(['not JSON', '[]', '{"dueDate":"soon"}'])(
    'is read all the same where the plugin wrote %s',
    (value) => {
      const order = {
        status: 'on-hold',
        ...undated,
        payment_method: 'asaas-ticket',
        ...meta('__ASAAS_ORDER', value),
      };
      expect(normalise(order)).toMatchObject({ events: [{ type: 'order.pending' }] });
    },
  );
});

describe('a WooCommerce order paid by gift cards', () => {
  const gift_cards = [
    { id: 2, code: 'SU9F-MGB5-KS5V-EZFT', amount: 20 },
    { id: 4, code: '5FRF-QSJ8-JJTG-XEUX', amount: '30.00' },
  ];

  it('was sold for all of it, a part of which no account has', () => {
    const { total, payments, differences } = factsOf({ total: '200.00', gift_cards });
    expect([total.toString(), differences]).toEqual(['250.00', []]);
    expect(payments.map(({ key, value, storeCredit }) => [key, value.toString(), storeCredit])).toEqual([
      ['loja/order/5231/payment/paid', '200.00', undefined],
      ['loja/order/5231/payment/gift-card-2', '20.00', true],
      ['loja/order/5231/payment/gift-card-4', '30.00', true],
    ]);
  });

  it('has no payment in money where they pay all of it', () => {
    const { total, payments } = factsOf({ total: '0.00', gift_cards: [{ id: 2, amount: 250 }] });
    expect(total.toString()).toBe('250.00');
    expect(payments.map(({ key }) => key)).toEqual(['loja/order/5231/payment/gift-card-2']);
  });

  it.each([[[]], [null], [''], [[{ id: 2, amount: 0 }]]])('has none of them in %j', (none) => {
    const { total, payments } = factsOf({ gift_cards: none });
    expect([total.toString(), payments.length]).toEqual(['250.00', 1]);
  });
});

describe('what a WooCommerce order waits for', () => {
  const waiting = (payment_method: string, ...meta: [string, string][]) => {
    const normalised = normalise({
      ...{ status: 'on-hold', ...undated, payment_method, payment_method_title: 'A pagar' },
      meta_data: meta.map(([key, value], id) => ({ id, key, value })),
    });
    const [event] = 'events' in normalised ? normalised.events : [];
    if (event?.type !== 'order.pending' || !event.order.charge) return undefined;
    const { line, dueDate, expiresAt } = event.order.charge;
    return [line, dueDate?.toString(), expiresAt?.toISOString()];
  };

  it.each<[string, [string, string][], (string | undefined)[]]>([
    ['woo-mercado-pago-ticket', [], [undefined, undefined, undefined]],
    ['asaas-ticket', [], [undefined, undefined, undefined]],
    [
      'pagbank_boleto',
      [
        ['_pagbank_boleto_barcode', '03399853012970000024227020901016278150000015000'],
        ['_pagbank_boleto_expiration_date', '2026-08-05'],
      ],
      ['03399853012970000024227020901016278150000015000', '2026-08-05', undefined],
    ],
    [
      'pagbank_pix',
      [
        ['_pagbank_pix_text', '00020126580014br.gov.bcb.pix0136loja'],
        ['_pagbank_pix_expiration_date', '2026-08-01T12:00:00.000-03:00'],
      ],
      ['00020126580014br.gov.bcb.pix0136loja', undefined, '2026-08-01T15:00:00.000Z'],
    ],
    [
      'pagbank_pix',
      [
        ['_pagbank_qrcode_text', '00020126580014br.gov.bcb.pix0136loja'],
        ['_pagbank_qrcode_expiration_date', '2026-08-01T12:00:00.000-03:00'],
      ],
      ['00020126580014br.gov.bcb.pix0136loja', undefined, '2026-08-01T15:00:00.000Z'],
    ],
    [
      'virt_pagseguro_ticket',
      [['_formatted_barcode', '03399.85301 29700.000242 27020.901016 2 78150000015000']],
      ['03399.85301 29700.000242 27020.901016 2 78150000015000', undefined, undefined],
    ],
    [
      'virt_pagseguro_pix',
      [['_pagseguro_qrcode', '00020126580014br.gov.bcb.pix0136loja']],
      ['00020126580014br.gov.bcb.pix0136loja', undefined, undefined],
    ],
  ])('by %s with %j is %j', (gateway, meta, charge) => {
    expect(waiting(gateway, ...meta)).toEqual(charge);
  });

  it.each(['woo-mercado-pago-custom', 'ticketrestaurante'])('is nothing that is known by %s', (gateway) => {
    expect(waiting(gateway)).toBeUndefined();
  });
});

describe("the gateway's fee", () => {
  it('is left out of the gateways that tell it themselves, and of no others', () => {
    const order = {
      ...{
        status: 'processing',
        date_paid_gmt: '2026-07-15T13:00:00',
        payment_method: 'woo-mercado-pago-pix',
      },
      meta_data: [{ key: 'mercadopago_fee', value: '12.47' }],
    };
    const fee = (leftOutFees: string) => factsOf(order, { leftOutFees }).payment?.fee?.toString();
    expect(fee('woo-mercado-pago-custom, woo-mercado-pago-pix')).toBeUndefined();
    expect(fee('woo-mercado-pago-custom')).toBe('12.47');
  });

  const paid = (...meta: [string, string | number][]) => {
    const facts = factsOf({
      ...{ status: 'processing', date_paid_gmt: '2026-07-15T13:00:00' },
      meta_data: meta.map(([key, value]) => ({ key, value })),
    });
    const differences = facts.differences.filter((sentence) => sentence.includes('fee'));
    return [facts.payment?.fee?.toString(), differences];
  };

  it.each<[[string, string | number][], string | undefined, string[]]>([
    [[['_stripe_fee', '4.39']], '4.39', []],
    [[['_wcpay_transaction_fee', '3']], '3.00', []],
    [[['PayPal Transaction Fee', '2.10']], '2.10', []],
    [[['mercadopago_fee', 12.47]], '12.47', []],
    [
      [
        ['_stripe_fee', '4.39'],
        ['_stripe_currency', 'brl'],
      ],
      '4.39',
      [],
    ],
    [[['_stripe_fee', '0']], undefined, []],
    [[['other_fee', '4.39']], undefined, []],
    [
      [
        ['_stripe_fee', '1.00'],
        ['_stripe_currency', 'usd'],
      ],
      undefined,
      ["The gateway's fee is in USD, so it is left out."],
    ],
    [
      [['_stripe_fee', '4.399']],
      undefined,
      [expect.stringMatching(/^The gateway's fee cannot be read/) as string],
    ],
  ])('of %j is %s', (meta, fee, differences) => {
    expect(paid(...meta)).toEqual([fee, differences]);
  });
});
