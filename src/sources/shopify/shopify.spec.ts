import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnreadablePayload } from '../payload';
import type { IncomingWebhook, Normalised } from '../source';
import { shopify } from './shopify';

const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'shopify');
const paid = JSON.parse(readFileSync(join(folder, 'order-paid.json'), 'utf8')) as Record<string, unknown>;
const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };
const receivedAt = new Date('2026-08-10T12:00:00Z');

function request(headers: Record<string, string>, body = '{"id": 5}'): IncomingWebhook {
  return { method: 'POST', headers, query: {}, rawBody: Buffer.from(body) };
}

function normalise(
  changes: Record<string, unknown>,
  topic = 'orders/updated',
  attributes: Record<string, string> = {},
  settings: Record<string, unknown> = {},
): Normalised {
  const rawBody = Buffer.from(JSON.stringify({ ...paid, ...changes }));
  return shopify.normalise({ topic, attributes, rawBody, receivedAt }, { ...context, settings });
}

/** The order that is told as paid; as it was created unless another topic is given. */
function paidOrder(
  changes: Record<string, unknown>,
  topic = 'orders/create',
  ...others: [attributes?: Record<string, string>, settings?: Record<string, unknown>]
) {
  const normalised = normalise(changes, topic, ...others);
  const event =
    'events' in normalised ? normalised.events.find(({ type }) => type === 'order.paid') : undefined;
  if (event?.type !== 'order.paid') throw new Error('not paid');
  return event.order;
}

function sale(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 1,
    kind: 'sale',
    status: 'success',
    amount: '1000.00',
    currency: 'BRL',
    gateway: 'cielo',
    processed_at: '2026-07-15T13:50:00Z',
    receipt: {},
    ...changes,
  };
}

describe('what a Shopify delivery is known by', () => {
  const both = (names: (name: string) => string) =>
    shopify.identify(
      request({
        [names('topic')]: 'orders/paid',
        [names('event-id')]: 'ev-1',
        [names('webhook-id')]: 'wh-1',
        [names('triggered-at')]: '2026-07-15T13:42:33Z',
      }),
    );

  it('is the same whether its headers begin with X- or not', () => {
    expect(both((name) => `shopify-${name}`)).toEqual(both((name) => `x-shopify-${name}`));
    expect(both((name) => `shopify-${name}`)).toEqual({
      topic: 'orders/paid',
      dedupeKey: 'orders/paid:ev-1',
      orderingKey: 'order/5',
      attributes: { triggeredAt: '2026-07-15T13:42:33Z', eventId: 'ev-1' },
    });
  });

  it('is verified under both spellings of the signature header', () => {
    const hmac = 'z110NBiiq86DYKPHtYC3UNF4/nYE2ou/sNSCzy3hoto=';
    const body = 'the body';
    for (const name of ['x-shopify-hmac-sha256', 'shopify-hmac-sha256']) {
      const right = shopify.verify(request({ [name]: hmac }, body), ['hush'], {}, receivedAt);
      const wrong = shopify.verify(request({ [name]: hmac }, `${body}.`), ['hush'], {}, receivedAt);
      expect([right.ok, wrong.ok]).toEqual([true, false]);
    }
  });

  it('differs between the topics that share one event', () => {
    const keys = ['orders/create', 'orders/paid'].map(
      (topic) =>
        shopify.identify(request({ 'x-shopify-topic': topic, 'x-shopify-event-id': 'ev-1' })).dedupeKey,
    );
    expect(new Set(keys).size).toBe(2);
  });

  it('falls back to the webhook id, then to topic and content', () => {
    const key = (headers: Record<string, string>, body?: string) =>
      shopify.identify(request({ 'x-shopify-topic': 'orders/paid', ...headers }, body)).dedupeKey;
    expect(key({ 'x-shopify-webhook-id': 'wh-1' })).toBe('orders/paid:wh-1');
    expect(key({})).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(key({})).toBe(key({}));
    expect(key({})).not.toBe(key({}, '{"id": 6}'));
    expect(key({})).not.toBe(key({ 'x-shopify-topic': 'orders/create' }));
  });

  it.each([
    ['orders/updated', '{"id": 7, "order_id": 8}', 'order/7'],
    ['refunds/create', '{"id": 7, "order_id": 8}', 'order/8'],
    ['customers/update', '{"id": 7}', 'customer/7'],
    ['customers/update', '{"id": "gid"}', 'customer/gid'],
  ])('under %s with %s is worked on in lane %s', (topic, body, lane) => {
    expect(shopify.identify(request({ 'x-shopify-topic': topic }, body)).orderingKey).toBe(lane);
  });

  it.each(['not json', '{}', '{"id": null}', '{"id": {"a": 1}}', '{"id": "a b"}', '[{"id": 1}]'])(
    'with the body %j has a lane of its own',
    (body) => {
      const identity = shopify.identify(request({ 'x-shopify-topic': 'orders/paid' }, body));
      expect(identity.orderingKey).toBe(`delivery/${identity.dedupeKey}`);
    },
  );
});

describe('a paid Shopify order', () => {
  it('has one payment key, whether or not its transactions are told and whatever they are', () => {
    const keys = [{}, { transactions: [sale()] }, { transactions: [sale({ id: 2, kind: 'capture' })] }].map(
      (changes) => paidOrder(changes).payment?.key,
    );
    expect(new Set(keys)).toEqual(new Set(['loja/order/6128439017794/payment/paid']));
  });

  it.each(['orders/create', 'orders/updated', 'orders/paid', 'orders/cancelled'])(
    'is told as paid under %s',
    (topic) => {
      expect(paidOrder({}, topic).payment?.value.toString()).toBe('1000.00');
    },
  );

  it('was paid when the last successful sale or capture was processed', () => {
    const transactions = [
      sale({ processed_at: '2026-07-15T14:00:00Z', amount: '400.00' }),
      sale({ kind: 'capture', processed_at: '2026-07-15T15:00:00Z', amount: '600.00' }),
      sale({ status: 'failure', processed_at: '2026-07-15T16:00:00Z' }),
      sale({ kind: 'refund', processed_at: '2026-07-15T17:00:00Z' }),
    ];
    const order = paidOrder({ transactions }, 'orders/paid', { triggeredAt: '2026-07-15T18:00:00Z' });
    expect(order.payment?.paidAt).toEqual(new Date('2026-07-15T15:00:00Z'));
  });

  it('was paid when Shopify raised orders/paid, else at its last change, never when it was placed', () => {
    const at = (changes: Record<string, unknown>, attributes = {}) =>
      paidOrder(changes, 'orders/paid', attributes).paidAt?.toISOString();
    expect(at({}, { triggeredAt: '2026-07-15T18:00:00.5Z' })).toBe('2026-07-15T18:00:00.500Z');
    expect(at({}, { triggeredAt: 'nonsense' })).toBe('2026-07-15T13:42:31.000Z');
    expect(at({})).toBe('2026-07-15T13:42:31.000Z');
    expect(at({ updated_at: null })).toBe(receivedAt.toISOString());
  });

  it.each(['authorized', 'partially_paid'])('is none while it is %s', (status) => {
    expect(normalise({ financial_status: status })).toEqual({ ignored: expect.stringContaining(status) });
  });

  it.each([
    ['pending', 'order.pending'],
    ['voided', 'order.expired'],
    ['expired', 'order.expired'],
  ])('is none while it is %s, but waits or waited for one', (status, type) => {
    expect(normalise({ financial_status: status })).toEqual({ events: [expect.objectContaining({ type })] });
  });

  it('that is cancelled when a part of it was paid asks a person what became of that part', () => {
    const cancelled_at = '2026-07-20T10:00:00Z';
    const changed = normalise({ financial_status: 'partially_paid', cancelled_at }, 'orders/cancelled');
    expect(changed).toMatchObject({
      events: [
        {
          type: 'order.cancelled',
          order: {
            payments: [],
            differences: [
              'The order was cancelled when a part of it was paid, and that part is not booked: see in Shopify whether it went back, and enter what did not.',
            ],
          },
        },
      ],
    });
  });

  it.each(['pending', 'expired'])('waits for nothing when it is %s and cancelled', (status) => {
    const changed = normalise({ financial_status: status, cancelled_at: '2026-07-20T10:00:00Z' });
    expect('events' in changed && changed.events.map(({ type }) => type)).toEqual(['order.cancelled']);
  });

  it('whose status denies its topic is for a person to look at', () => {
    expect(() => normalise({ financial_status: 'pending' }, 'orders/paid')).toThrow(UnreadablePayload);
    expect(paidOrder({ financial_status: null }, 'orders/paid').paidAt).toBeDefined();
  });

  it('is worth what was sold, not what refunds left of it', () => {
    const transactions = [sale({ kind: 'refund', amount: '999.00' })];
    const refunds = [{ id: 9, created_at: '2026-07-20T10:00:00Z', transactions }];
    const { payment } = paidOrder({ current_total_price: '1.00', refunds });
    expect(payment?.value.toString()).toBe('1000.00');
  });

  it('is in whole yen, where it is in yen', () => {
    const order = paidOrder({ currency: 'JPY', total_price: '1500', line_items: [] });
    expect([order.total.minor, order.total.currency]).toEqual([1500n, 'JPY']);
    expect(() => normalise({ currency: 'JPY', total_price: '1500.50' })).toThrow(
      '$.total_price is not an amount of JPY',
    );
  });

  it('with payments in another currency is unreadable: nothing says at which rate', () => {
    expect(() => normalise({ transactions: [sale({ currency: 'USD' })] })).toThrow(
      '$.transactions[0].currency is USD, but the order is in BRL',
    );
  });
});

describe('a payment that no transaction of the Shopify order dates', () => {
  const raised = { triggeredAt: '2026-07-17T18:00:00Z' };
  const changes = {
    processed_at: '2026-06-29T09:00:00-03:00',
    created_at: '2026-06-29T09:00:02-03:00',
    updated_at: '2026-07-17T15:00:00-03:00',
    payment_gateway_names: ['cielo'],
  };
  const dated = (more: Record<string, unknown>, topic = 'orders/updated', attributes = raised) => {
    const { payment, differences } = paidOrder({ ...changes, ...more }, topic, attributes);
    return [payment?.paidAt.toISOString(), payment?.datedBy, ...differences];
  };
  const inferred = (at: string, by: string) => [at, by];

  it.each(['orders/updated', 'orders/cancelled'])(
    'is dated when the order was placed, not at the event, under %s',
    (topic) => {
      expect(dated({}, topic)).toEqual(inferred('2026-06-29T12:00:00.000Z', 'processed_at'));
      expect(dated({ processed_at: null }, topic)).toEqual(
        inferred('2026-06-29T12:00:02.000Z', 'created_at'),
      );
    },
  );

  it('is dated without any doubt where the order was created as paid, and at orders/paid', () => {
    expect(dated({}, 'orders/create')).toEqual(['2026-06-29T12:00:00.000Z', undefined]);
    expect(dated({}, 'orders/paid')).toEqual(['2026-07-17T18:00:00.000Z', undefined]);
  });

  it.each([
    { payment_gateway_names: ['Boleto Bancário'] },
    { payment_gateway_names: ['manual'] },
    { payment_gateway_names: ['Bank Deposit'] },
    { payment_gateway_names: ['Cash on Delivery (COD)'] },
    { payment_terms: { payment_terms_type: 'net', due_in_days: 30 } },
  ])('is dated at the event where the buyer was to pay later: %j', (more) => {
    expect(dated(more)).toEqual(inferred('2026-07-17T18:00:00.000Z', 'the time of the event'));
    expect(dated(more, 'orders/updated', {} as typeof raised)).toEqual(
      inferred('2026-07-17T18:00:00.000Z', 'updated_at'),
    );
  });

  it('is dated at the event where the shop takes Pix, unless that is read from a list: its staff may say days later that it came', () => {
    for (const gateway of ['Pix', 'Chave PIX']) {
      const more = { payment_gateway_names: [gateway] };
      expect(dated(more)).toEqual(inferred('2026-07-17T18:00:00.000Z', 'the time of the event'));
      expect(dated(more, 'orders/updated', {} as typeof raised)).toEqual(
        inferred('2026-06-29T12:00:00.000Z', 'processed_at'),
      );
    }
    expect(dated({ payment_gateway_names: ['Pixel'] })[0]).toBe('2026-06-29T12:00:00.000Z');
  });

  it.each([{ payment_gateway_names: ['PagBank'] }, { payment_gateway_names: ['Código Pay'] }])(
    'is not taken for one that was to be paid later because of a part of a name: %j',
    (more) => {
      expect(dated(more)[0]).toBe('2026-06-29T12:00:00.000Z');
    },
  );

  it('is never dated after a refund', () => {
    const refund = (id: number, processed_at: string) => ({
      id,
      processed_at,
      transactions: [{ kind: 'refund', status: 'success', amount: '10.00', currency: 'BRL', processed_at }],
    });
    const refunds = [refund(1, '2026-07-16T10:00:00Z'), refund(2, '2026-07-15T10:00:00Z')];
    for (const more of [{ payment_gateway_names: ['boleto'] }, { processed_at: '2026-07-20T10:00:00Z' }]) {
      const facts = dated({ ...more, financial_status: 'partially_refunded', refunds });
      expect(facts).toEqual(inferred('2026-07-15T10:00:00.000Z', 'its first refund'));
    }
  });

  it('is dated after the cancellation only where orders/paid says so', () => {
    const cancelled = { payment_gateway_names: ['boleto'], cancelled_at: '2026-07-16T10:00:00Z' };
    for (const topic of ['orders/cancelled', 'orders/updated'])
      expect(dated(cancelled, topic)).toEqual(inferred('2026-07-16T10:00:00.000Z', 'its cancellation'));
    expect(dated(cancelled, 'orders/paid')).toEqual(['2026-07-17T18:00:00.000Z', undefined]);
  });
});

describe('a Shopify order of which money went back', () => {
  const refund = (amount: string) => ({
    id: 91,
    processed_at: '2026-07-20T10:00:00Z',
    transactions: [
      { kind: 'refund', status: 'success', amount, currency: 'BRL', processed_at: '2026-07-20T10:00:00Z' },
    ],
  });
  const back = { financial_status: 'refunded', total_price: '598.94', total_line_items_price: null };
  const reported = (changes: Record<string, unknown>, topic = 'orders/updated') => {
    const normalised = normalise({ ...back, ...changes }, topic);
    if (!('events' in normalised)) return normalised;
    return normalised.events.map((event) => [event.type, 'order' in event ? event.order.differences : []]);
  };
  const types = (changes: Record<string, unknown>) => {
    const events = reported(changes);
    return Array.isArray(events) ? events.map(([type]) => type) : events;
  };

  it.each(['orders/updated', 'orders/paid', 'orders/cancelled'])(
    'is not told as paid in full under %s where all of it is outstanding',
    (topic) => {
      expect(reported({ total_outstanding: '598.94', refunds: [refund('110.00')] }, topic)).toEqual([
        [
          'order.refunded',
          [
            'The order is refunded, but 598.94 BRL is said to be outstanding.',
            '110.00 BRL went back, but nothing says that the order was paid in full.',
          ],
        ],
      ]);
    },
  );

  it.each([
    ['refunded', '0.00', undefined, '110.00', true],
    ['refunded', undefined, undefined, '598.94', true],
    ['refunded', undefined, undefined, '110.00', false],
    ['refunded', '0.00', ['110.00'], '110.00', false],
    ['refunded', '598.94', ['500.00', '98.94'], '598.94', true],
    ['partially_refunded', '0.00', undefined, '110.00', true],
    ['partially_refunded', '-5.00', undefined, '110.00', true],
    ['partially_refunded', '398.94', undefined, '110.00', false],
    ['partially_refunded', undefined, ['598.94'], '110.00', true],
    ['partially_refunded', undefined, ['200.00'], '110.00', false],
  ])('as %s, with %s outstanding, payments of %j and %s back, is paid: %s', (...row) => {
    const [financial_status, total_outstanding, sales, amount, paid] = row;
    const transactions = (sales ?? []).map((value) => sale({ amount: value }));
    const facts = { financial_status, total_outstanding, transactions, refunds: [refund(amount)] };
    expect(types(facts)).toEqual([...(paid ? ['order.paid'] : []), 'order.refunded']);
  });

  it('is set aside while nothing is known of what came and what went', () => {
    expect(reported({ total_outstanding: '598.94', refunds: [] })).toEqual({
      ignored: 'the order is refunded, but nothing says that it was paid in full or that money went back',
    });
  });

  it('reports money that goes back before the order was paid', () => {
    const facts = reported({ financial_status: 'pending', refunds: [refund('110.00')] });
    expect(facts).toEqual([
      ['order.refunded', ['110.00 BRL went back, but nothing says that the order was paid in full.']],
    ]);
  });
});

describe('what a Shopify order says about itself', () => {
  const attribute = (name: string, value: unknown) => ({ note_attributes: [{ name, value }] });

  it.each([
    [attribute('installments', '3'), 3],
    [attribute('Parcelas', '12x sem juros'), 12],
    [attribute('parcelas', 6), 6],
    [{ ...attribute('installments', ''), transactions: [sale({ receipt: { installments: 5 } })] }, 5],
    [{ note_attributes: [], transactions: [sale({ payment_details: { installments: '4' } })] }, 4],
    [{ note_attributes: [], transactions: [sale({ receipt: 'free text' })] }, 1],
    [{ note_attributes: [] }, 1],
  ])('%j is the number of instalments %d', (changes, instalments) => {
    const order = paidOrder(changes);
    expect(order.instalments).toBe(instalments);
    expect(order.differences).toEqual([]);
  });

  it.each(['0', '500', 'many', '3.5', '-2'])('instalments %j are taken as one, and reported', (value) => {
    const order = paidOrder(attribute('parcelas', value));
    expect(order.instalments).toBe(1);
    expect(order.differences).toEqual(['The number of instalments cannot be read; one is assumed.']);
  });

  it.each(['_gateway_parcelas', 'cartao_installments'])(
    'reports %s, which seems to hold the number of instalments, and does not read it',
    (name) => {
      const order = paidOrder(attribute(name, '3'));
      expect([order.instalments, order.differences]).toEqual([
        1,
        [
          `The field ${name.replaceAll('_', '')} seems to hold the number of instalments; instalmentsField may name it.`,
        ],
      ]);
      const named = paidOrder(attribute(name, '3'), 'orders/create', {}, { instalmentsField: name });
      expect([named.instalments, named.differences]).toEqual([3, []]);
    },
  );

  it('reads instalments and document from the fields its settings name', () => {
    const note_attributes = [
      { name: 'cpf', value: '417.203.958-88' },
      { name: 'Doc. do comprador', value: '30865127417' },
      { name: 'parcelas', value: '2' },
      { name: 'qtd_vezes', value: '9' },
    ];
    const settings = { documentField: 'doc do comprador', instalmentsField: 'qtd_vezes' };
    const order = paidOrder({ note_attributes }, 'orders/paid', {}, settings);
    expect([order.customer.document, order.instalments]).toEqual(['30865127417', 9]);
  });

  it.each([
    ['CPF', '417.203.958-88'],
    ['cpf_cnpj', '47.318.265/0001-04'],
    ['CPF/CNPJ', '12.ABC.345/01DE-35'],
    ['Documento', '41720395888'],
    ['billing_cnpj', '47318265000104'],
    ['additional_cpf_cnpj', '41720395888'],
    ['customer_document', '41720395888'],
  ])('takes the document from the detail %s', (name, value) => {
    expect(paidOrder(attribute(name, value)).customer.document).toBe(value);
  });

  it('passes on a wrong document as it is, rather than looking elsewhere', () => {
    const billing_address = { company: '47.318.265/0001-04' };
    const order = paidOrder({ ...attribute('cpf', '111.111.111-11'), billing_address });
    expect(order.customer.document).toBe('111.111.111-11');
  });

  it('takes a company name for a document only when it is one', () => {
    const company = (name: string) =>
      paidOrder({ note_attributes: [], billing_address: { company: name } }).customer.document;
    expect(company('47.318.265/0001-04')).toBe('47.318.265/0001-04');
    expect(company('Oficina Jatobá')).toBeUndefined();
  });

  it('reports totals that disagree with their parts, and keeps the total', () => {
    const order = paidOrder({
      total_discounts: '10.00',
      total_outstanding: '5.00',
      transactions: [sale({ amount: '900.00' })],
    });
    expect(order.total.toString()).toBe('1000.00');
    expect(order.differences).toEqual([
      'Goods, shipping and taxes less discounts come to 990.00 BRL, but the order says 1000.00 BRL.',
      'The payments come to 900.00 BRL, but the order says 1000.00 BRL.',
      'The order is paid, but 5.00 BRL is said to be outstanding.',
    ]);
  });

  it('leaves a line out that cannot be read, says so, and books the order', () => {
    const order = paidOrder({ line_items: [{ title: 'A', quantity: 1, price: '1,00' }] });
    expect(order.lines).toEqual([]);
    expect(order.differences).toEqual([
      'A line is left out: $.line_items[0].price is not an amount of BRL: not a decimal amount.',
    ]);
  });

  it('names the buyer by account, address, e-mail or not at all', () => {
    const nameOf = (changes: Record<string, unknown>) =>
      paidOrder({ customer: null, billing_address: null, shipping_address: null, ...changes }).customer.name;
    expect(nameOf({ customer: { id: 1, first_name: 'Ana', last_name: null } })).toBe('Ana');
    expect(nameOf({ billing_address: { name: 'Bia Sá' } })).toBe('Bia Sá');
    expect(nameOf({ shipping_address: { first_name: 'Caio', last_name: 'Luz' } })).toBe('Caio Luz');
    expect(nameOf({ email: 'duda@example.com' })).toBe('duda');
    expect(nameOf({ email: '', contact_email: null })).toBe('Guest');
  });

  it('never repeats what a customer typed in a complaint', () => {
    const secret = 'Rua Secreta 5';
    for (const key of [
      'id',
      'total_price',
      'currency',
      'created_at',
      'financial_status',
      'test',
      'refunds',
    ]) {
      expect(() => normalise({ [key]: secret })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining(secret) }),
      );
    }
  });
});
