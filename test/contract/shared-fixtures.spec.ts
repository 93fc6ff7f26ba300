import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UnreadablePayload } from '../../src/sources/payload';
import { findProvider } from '../../src/sources/registry';
import type { FetchedAnswer } from '../../src/sources/source';
import {
  casesOf,
  contextWith,
  fetchedIn,
  FIXTURES,
  outcomeOf,
  readFixture,
  SECRET,
  SENT_AT,
  stored,
} from '../support/source-cases';
import { ERP_ROWS } from '../support/shared-erp-rows';
import { answersOfMagento, eventOfMagento, MAGENTO_ROWS } from '../support/shared-magento';

/**
 * Payloads that others wrote, kept outside of the repository because of their licences. Where the folder is
 * not there, the repository's own fixtures take their place.
 */
const SHARED = resolve(
  process.env.PONTE_SHARED_FIXTURES ?? join(__dirname, '..', '..', '..', 'shared', 'fixtures'),
);
const PROVIDERS = [
  ...[
    'shopify',
    'woocommerce',
    'stripe',
    'pagbank',
    'bigcommerce',
    'cloudevents',
    'nuvemshop',
    'mercado-pago',
  ],
  ...['vtex', 'ecomplus', 'mercado-livre', 'bling', 'tiny', 'omie', 'magento'],
];
/** What the shared folder calls a provider otherwise. */
const FOLDERS: Readonly<Record<string, string>> = {
  'mercado-pago': 'mercadopago',
  'mercado-livre': 'mercadolivre',
};
const isThere = existsSync(join(SHARED, 'shopify'));
const folder = isThere ? SHARED : FIXTURES;

/** What a delivery of a file must come to. */
interface Outcome {
  /** `type total, value by gateway on day, what went back, customer, document`: one line an event */
  told?: string[];
  /** What the order says of numbers that disagree. */
  differences?: string[];
  ignored?: string;
  unreadable?: string;
}

interface Row extends Outcome {
  file: string;
  /** Absent: the one that the file's folder is called by. */
  provider?: string;
  topic: string;
  settings?: Record<string, unknown>;
  /** What was fetched about it. */
  fetched?: FetchedAnswer[];
}

const ROWS: Row[] = [
  {
    file: 'shopify/customer.json',
    topic: 'customers/update',
    told: ['customer.updated loja/customer/207119551 Bob Norman, no document'],
  },
  {
    file: 'shopify/customer.json',
    topic: 'orders/create',
    unreadable: '$.total_price is missing',
  },
  {
    file: 'shopify/customer_addresses_go.json',
    topic: 'customers/create',
    told: ['customer.updated loja/customer/1 Test Citizen, no document'],
  },
  {
    file: 'shopify/order_authorized_legacy.json',
    topic: 'orders/create',
    told: ['order.created 409.94 USD, loja/customer/207119551 Bob Norman, no document'],
  },
  {
    file: 'shopify/order_authorized_legacy.json',
    topic: 'orders/updated',
    ignored: 'the order is authorized: neither paid in full, cancelled nor refunded',
  },
  {
    file: 'shopify/order_paid_guest_no_customer.json',
    topic: 'orders/paid',
    told: [
      'order.paid 199.00 USD, 199.00 by ? on 2026-07-15, loja/order/1073459984/guest Guest, no document',
    ],
    differences: ['The order is paid, but 199.00 USD is said to be outstanding.'],
  },
  {
    file: 'shopify/order_paid_guest_no_customer.json',
    topic: 'customers/update',
    unreadable: '$.line_items is no field of a customer',
  },
  {
    file: 'shopify/order_paid_taxed_270.json',
    topic: 'orders/create',
    told: [
      'order.created 270.37 USD, loja/order/1073459962/guest Guest, no document',
      'order.paid 270.37 USD, 270.37 by ? on 2024-10-02, loja/order/1073459962/guest Guest, no document',
    ],
    differences: ['The order is paid, but 270.37 USD is said to be outstanding.'],
  },
  {
    file: 'shopify/order_partially_refunded.json',
    topic: 'orders/updated',
    told: [
      'order.paid 598.94 USD, 598.94 by bogus on 2005-08-05, 209.00 back on 2005-08-05, loja/customer/207119551 Bob Norman, no document',
      'order.refunded 598.94 USD, 209.00 back on 2005-08-05, loja/customer/207119551 Bob Norman, no document',
    ],
  },
  {
    file: 'shopify/order_pending.json',
    topic: 'orders/create',
    told: ['order.created 199.00 USD, loja/customer/207119551 Bob Norman, no document'],
  },
  {
    file: 'shopify/order_pending.json',
    topic: 'orders/paid',
    unreadable: '$.financial_status does not say paid, although the topic is orders/paid',
  },
  {
    file: 'shopify/refund_two_lines.json',
    topic: 'refunds/create',
    ignored:
      'refund of 209.00 USD on order 450789469: rules hear of it by orders/updated, which has the whole order',
  },
  {
    file: 'shopify/refund_with_shipping.json',
    topic: 'refunds/create',
    ignored:
      'refund of 41.94 USD on order 450789469: rules hear of it by orders/updated, which has the whole order',
  },
  {
    file: 'shopify/transaction_authorization.json',
    topic: 'order_transactions/create',
    ignored: 'topic order_transactions/create is none that Ponte reads',
  },
  {
    file: 'shopify/transaction_capture_test.json',
    topic: 'order_transactions/create',
    ignored: 'topic order_transactions/create is none that Ponte reads',
  },
  {
    file: 'woocommerce/customer.json',
    topic: 'customer.updated',
    told: ['customer.updated loja/customer/25 John Doe, no document'],
  },
  {
    file: 'woocommerce/order_completed.json',
    topic: 'order.updated',
    told: ['order.paid 29.35 USD, 29.35 by bacs on 2017-03-22, loja/order/727/guest John Doe, no document'],
  },
  {
    file: 'woocommerce/order_partially_refunded_8items.json',
    topic: 'order.updated',
    told: [
      'order.paid 304.45 USD, 304.45 by stripe on 2019-06-06, 16.20 back on 2019-06-06, 8.10 back on 2019-06-06, loja/customer/1 Pamela Nguyen, no document',
      'order.refunded 304.45 USD, 16.20 back on 2019-06-06, 8.10 back on 2019-06-06, loja/customer/1 Pamela Nguyen, no document',
    ],
  },
  {
    file: 'woocommerce/order_processing_guest.json',
    topic: 'order.created',
    told: [
      'order.created 29.35 USD, loja/order/727/guest John Doe, no document',
      'order.paid 29.35 USD, 29.35 by bacs on 2017-03-22, loja/order/727/guest John Doe, no document',
    ],
  },
  {
    file: 'woocommerce/order_processing_stripe.json',
    topic: 'order.updated',
    told: [
      'order.paid 31.20 USD, 31.20 by stripe on 2018-04-03, loja/customer/11 Johnny Appleseed, no document',
    ],
    differences: ['Goods, fees, shipping and taxes come to 156.70 USD, but the order says 31.20 USD.'],
  },
  {
    file: 'woocommerce/order_with_charge_tax_included.json',
    topic: 'order.updated',
    told: [
      'order.paid 33.30 USD, 33.30 by woocommerce_payments on 2022-01-28, loja/order/211/guest Marcus Fisher, no document',
    ],
  },
  {
    file: 'stripe/charge_succeeded_real.json',
    topic: 'charge.succeeded',
    told: [
      'order.paid 20.00 USD, 20.00 by stripe on 2019-05-16, loja/customer/cus_6lsBvm5rJ0zyHc buyer@example.com, no document',
    ],
    differences: ['The charge of 20.00 USD is captured, but its captured amount is zero.'],
  },
  {
    file: 'stripe/charge.json',
    topic: 'charge.succeeded',
    ignored: 'the charge is authorised and not captured: charge.captured brings the payment',
  },
  {
    file: 'stripe/checkout_session.json',
    topic: 'checkout.session.completed',
    ignored: 'the payment of the checkout is unpaid: charge.succeeded brings it',
  },
  {
    file: 'stripe/customer.json',
    topic: 'customer.updated',
    ignored: 'type customer.updated is none that Ponte reads',
  },
  {
    file: 'stripe/event_envelope.json',
    topic: 'plan.created',
    ignored: 'type plan.created is none that Ponte reads',
  },
  {
    file: 'stripe/refund.json',
    topic: 'refund.created',
    ignored:
      'refund re_1Pgc72B7WZ01zgkWqPvrRrPE of 1.00 USD is succeeded: rules hear of it by charge.refunded, which has the charge',
  },
  {
    file: 'pagbank/order_card_paid.json',
    topic: 'PAID',
    told: [
      'order.paid 5.00 BRL, 5.00 by pagbank on 2023-02-08, loja/order/ex-00001/guest Jose da Silva, 12345678909',
    ],
  },
  {
    file: 'pagbank/charge_boleto_waiting_minified.json',
    topic: 'WAITING',
    told: [
      'order.pending 1.00 BRL, loja/order/CHAR_354828dd-786b-4cca-8ce4-6f7a1f3f2a1a/guest Jose da Silva, 90792099028',
    ],
  },
  // WooCommerce has no topic for refunds: they come inside of their order.
  { file: 'woocommerce/refund.json', topic: 'order.updated', unreadable: '$.status is missing' },
  { file: 'woocommerce/refund_single.json', topic: 'order.updated', unreadable: '$.status is missing' },
  {
    file: 'bigcommerce/order_awaiting_payment.json',
    topic: 'store/order/created',
    told: [
      'order.created 69.84 USD, loja/customer/11 Jane Doe, no document',
      'order.pending 69.84 USD, loja/customer/11 Jane Doe, no document',
    ],
  },
  {
    file: 'bigcommerce/orders_collection.json',
    topic: 'store/order/statusUpdated',
    ignored:
      'the order is Awaiting Fulfillment, and no money is said to have come: neither paid, cancelled nor refunded',
  },
  {
    file: 'bigcommerce/webhook_store_order_created.json',
    topic: 'store/order/created',
    unreadable: 'the order has not been fetched',
  },
  {
    file: 'bigcommerce/webhook_store_order_statusUpdated.json',
    topic: 'store/order/statusUpdated',
    unreadable: 'the order has not been fetched',
  },
  {
    file: 'bigcommerce/webhook_store_customer_created.json',
    topic: 'store/customer/created',
    unreadable: 'the customer has not been fetched',
  },
  {
    file: 'cloudevents/adobe_commerce_product_save.json',
    topic: 'com.adobe.commerce.observer.catalog_product_save_commit_after',
    ignored:
      "type com.adobe.commerce.observer.catalog_product_save_commit_after is none that Ponte reads, and its data is no message of Ponte's",
  },
  {
    file: 'nuvemshop/orders_list_paid.json',
    topic: 'order/paid',
    told: ['order.paid 5660.00 USD, 5660.00 by paypal on 2022-02-23, loja/customer/101 John Doe, 41913703'],
  },
  { file: 'nuvemshop/order_pending_no_total.json', topic: 'order/created', unreadable: '$.total is missing' },
  { file: 'nuvemshop/order_cancelled.json', topic: 'order/cancelled', unreadable: '$.total is missing' },
  { file: 'nuvemshop/order_closed.json', topic: 'order/updated', unreadable: '$.total is missing' },
  {
    file: 'nuvemshop/checkout_brl_cpf.json',
    topic: 'order/created',
    unreadable: '$.payment_status is missing',
  },
  {
    file: 'nuvemshop/customer.json',
    topic: 'customer/updated',
    told: ['customer.updated loja/customer/101 John Doe, 28776255670'],
  },
  {
    file: 'mercadopago/payment_approved_card.json',
    topic: 'payment',
    told: [
      'order.paid 12.34 BRL, 12.34 by mercado_pago on 2022-01-10, loja/order/1631894348/guest Nome Sobrenome, 19119119100',
    ],
  },
  {
    file: 'mercadopago/payment_get_py.json',
    topic: 'payment',
    told: [
      'order.paid 58.80 BRL, 58.80 by mercado_pago on 2024-01-15, loja/order/MP0001/guest APRO, 19119119100',
    ],
    // It names no fee, and less came than was paid.
    differences: ["Mercado Pago's fees and the net value come to 56.86 BRL, but the order says 58.80 BRL."],
  },
  {
    file: 'mercadopago/payment_boleto_pending.json',
    topic: 'payment',
    told: ['order.pending 100.00 BRL, loja/order/1677145242/guest Test User, no document'],
  },
  {
    file: 'mercadopago/payment_pix_pending.json',
    topic: 'payment',
    told: ['order.pending 100.00 BRL, loja/order/21071815560/guest test_user_1648059260, no document'],
  },
  {
    file: 'mercadopago/payment_cancelled.json',
    topic: 'payment',
    ignored:
      'a payment is cancelled and may have money in it, which Ponte does not know how to book: see it at Mercado Pago and book it by hand',
  },
  {
    file: 'mercadopago/webhook_payment_created.json',
    topic: 'payment',
    unreadable: 'the payment was not fetched from Mercado Pago',
  },
  { file: 'mercadopago/refund.json', topic: 'payment', unreadable: '$.currency_id is missing' },
  ...ERP_ROWS,
  ...MAGENTO_ROWS,
];

interface Told {
  type: string;
  customer?: Customer;
  order?: {
    total: Amount;
    customer: Customer;
    payment?: { gateway: string; value: Amount; paidAt: string };
    refunds: { value: Amount; refundedAt: string }[];
    differences: string[];
  };
}
type Amount = Record<'value' | 'currency', string>;
type Customer = { key: string; name: string; document?: string };

function line({ type, order, customer = order?.customer }: Told): string {
  const payment = order?.payment;
  const parts = [
    [type, order?.total.value, order?.total.currency].filter(Boolean).join(' '),
    payment && `${payment.value.value} by ${payment.gateway || '?'} on ${payment.paidAt.slice(0, 10)}`,
    ...(order?.refunds ?? []).map(
      ({ value, refundedAt }) => `${value.value} back on ${refundedAt.slice(0, 10)}`,
    ),
    `${customer?.key} ${customer?.name}`,
    customer?.document ?? 'no document',
  ];
  const text = parts.filter(Boolean).join(', ');
  return order ? text : text.replace(`${type}, `, `${type} `);
}

function summary(events: Told[]): Outcome {
  const differences = [...new Set(events.flatMap((event) => event.order?.differences ?? []))];
  return { told: events.map(line), ...(differences.length > 0 && { differences }) };
}

/** The repository's own files, with what their cases expect of them. */
function ownRows(): Row[] {
  return PROVIDERS.flatMap((provider) =>
    casesOf(provider).map((one) => ({
      file: `${provider}/${one.file}`,
      topic: one.topic,
      ...(one.settings && { settings: one.settings }),
      ...(one.fetched && { fetched: fetchedIn(join(FIXTURES, provider), one) }),
      ...(one.expected === undefined
        ? { ignored: one.ignored }
        : summary(JSON.parse(readFixture(provider, `expected/${one.expected}`).toString('utf8')) as Told[])),
    })),
  );
}

/** Some files wrap what the webhook sends bare; of Stripe's messages some have the object alone. */
function asSent(bytes: Buffer, provider: string, type: string): Buffer {
  const value = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  if (provider === 'stripe' && value['object'] !== 'event') {
    const { created = 1_784_122_950, livemode = false } = value;
    const event = { id: 'evt_1', object: 'event', type, created, livemode, data: { object: value } };
    return Buffer.from(JSON.stringify(event));
  }
  const [key = '', ...others] = Object.keys(value);
  const wrapped = others.length === 0 && ['order', 'refund', 'customer', 'transaction', 'data'].includes(key);
  return wrapped ? Buffer.from(JSON.stringify(value[key])) : bytes;
}

/** The shared order of E-Com Plus is one that is to be made: it has no identifier yet. */
const MADE = { _id: '5c1000000000000000000001', created_at: '2017-11-19T13:10:00.612Z' };
/** The shared customer of Omie has no number. */
const NUMBERED = { codigo_cliente_omie: 1 };
/** The first request's name, where it is not the order that is asked for. */
const FIRST_REQUEST: Readonly<Record<string, string>> = { 'mercado-pago': 'payment', omie: 'person-1' };

interface Sent {
  rawBody: Buffer;
  fetched: FetchedAnswer[];
}

type Json = Record<string, unknown>;

/** What a file is the API's answer to; undefined where the file is a notification itself. */
const NOTIFICATIONS: Readonly<Record<string, (one: Json, topic: string) => object | undefined>> = {
  bigcommerce: (one, scope) =>
    'scope' in one ? undefined : { scope, data: { type: 'order', id: one['id'] } },
  nuvemshop: (one, event) => ({ store_id: 123, event, id: one['id'] }),
  'mercado-pago': (one, type) =>
    one['data'] === undefined ? { id: 1, type, data: { id: String(one['id']) } } : undefined,
  vtex: (one, State) =>
    one['orderId'] === undefined ? undefined : { Domain: 'Fulfillment', OrderId: one['orderId'], State },
  bling: (one, event) =>
    one['eventId'] === undefined ? { eventId: 'e-1', event, companyId: '1', data: one } : undefined,
  tiny: (one, tipo) =>
    one['retorno'] === undefined ? undefined : { cnpj: '59573950000158', tipo, dados: { id: 999_999_999 } },
  ecomplus: (one) => (one['transactions'] === undefined ? undefined : { order: { ...MADE, ...one } }),
  omie: (one, topic) => ({ topic, event: { ...NUMBERED, ...(one['event'] as Json) } }),
  magento: eventOfMagento,
};

/** How the API answers with what is in a file, where it is not as it is there. */
const ANSWERS: Readonly<Record<string, (one: Json) => object>> = {
  ecomplus: (one) => ({ ...MADE, ...one }),
  bling: (data) => ({ data }),
  omie: (one) => ({ ...NUMBERED, ...(one['event'] as Json) }),
};

/** What a provider's API would answer is delivered by a notification about it; a list with its first. */
function sent(bytes: Buffer, provider: string, topic: string): Sent {
  const value = JSON.parse(bytes.toString('utf8')) as Json | Json[];
  const [one = {}] = Array.isArray(value) ? value : [value];
  const notification = NOTIFICATIONS[provider]?.(one, topic);
  if (!notification) return { rawBody: asSent(bytes, provider, topic), fetched: [] };
  const rawBody = Buffer.from(JSON.stringify(notification));
  if (provider === 'magento') {
    const order = readFileSync(join(SHARED, 'magento', 'order_pending_banktransfer.json'), 'utf8');
    return { rawBody, fetched: answersOfMagento(one, JSON.parse(order) as Json) };
  }
  const answer = (name: string, body: object): FetchedAnswer => ({
    ...{ name, status: 200 },
    body: Buffer.from(JSON.stringify(body)),
  });
  const lists = provider === 'bigcommerce' ? ['transactions', 'refunds'] : [];
  const main = ANSWERS[provider]?.(one) ?? one;
  const name = FIRST_REQUEST[provider] ?? 'order';
  return {
    rawBody,
    fetched: [answer(name, main), ...lists.map((list) => answer(list, { data: [] }))],
  };
}

function providerOf(file: string): string {
  const [name = ''] = file.split('/');
  return PROVIDERS.find((id) => FOLDERS[id] === name) ?? name;
}

/** Sends a file the whole way: signed, verified, identified, fetched, normalised. */
function deliver({ file, topic, settings, fetched, ...row }: Omit<Row, keyof Outcome>): Outcome {
  const id = row.provider ?? providerOf(file);
  const provider = findProvider(id);
  if (!provider) throw new Error(`there is no provider ${id}`);
  const bytes = readFileSync(join(folder, file));
  // The repository's own files are what was sent.
  const made = isThere ? sent(bytes, id, topic) : { rawBody: bytes, fetched: fetched ?? [] };
  const rawBody = provider.bodyFor?.(made.rawBody, SECRET) ?? made.rawBody;
  const message = { secret: SECRET, body: rawBody, topic, id: 'd-1', sentAt: SENT_AT };
  const query = provider.signQuery?.(message) ?? {};
  const token = provider.secretInAddress && { token: SECRET };
  const keys = provider.publicKeys && { publicKeys: provider.publicKeys.ofSigner() };
  const request = { method: 'POST', headers: provider.sign(message), query, ...token, ...keys, rawBody };
  expect(provider.verify(request, [SECRET], {}, SENT_AT)).toMatchObject({ ok: true });
  const { attributes } = provider.identify(request, settings);
  try {
    const webhook = stored(topic, rawBody, attributes, made.fetched);
    const { events, ignored } = outcomeOf(provider, webhook, contextWith(settings)) as {
      events?: Told[];
      ignored?: string;
    };
    return events ? summary(events) : { ignored };
  } catch (error) {
    if (error instanceof UnreadablePayload) return { unreadable: error.message };
    throw error;
  }
}

function withoutAbsent(outcome: object): object {
  return JSON.parse(JSON.stringify(outcome)) as object;
}

describe(`payloads in ${isThere ? 'the shared folder' : 'the own fixtures'}`, () => {
  const rows = isThere ? ROWS : ownRows();
  const files = PROVIDERS.map((id) => (isThere ? (FOLDERS[id] ?? id) : id)).flatMap((name) =>
    readdirSync(join(folder, name))
      .filter((file) => file.endsWith('.json') && !['cases.json', 'list.json'].includes(file))
      .map((file) => `${name}/${file}`),
  );

  it.each(rows.map((row) => [row.file, row.topic, row] as const))('%s as %s', (_file, _topic, row) => {
    const { told, differences, ignored, unreadable, ...given } = row;
    expect(deliver(given)).toEqual(withoutAbsent({ told, differences, ignored, unreadable }));
  });

  it('are there', () => {
    expect(files.length).toBeGreaterThan(10);
    expect(rows.filter((row) => !files.includes(row.file))).toEqual([]);
  });

  it.each(files)('%s under any topic is told, set aside or unreadable', (file) => {
    const topics = new Set(
      rows.filter((row) => row.file.split('/')[0] === file.split('/')[0]).map((row) => row.topic),
    );
    for (const topic of topics) {
      const { told, ignored, unreadable } = deliver({ file, topic });
      expect([told, ignored, unreadable].filter((one) => one !== undefined)).toHaveLength(1);
    }
  });
});
