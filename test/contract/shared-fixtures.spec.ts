import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProvider } from '../../src/sources/registry';
import { signedHeaders } from '../../src/sources/signing';
import { UnreadablePayload } from '../../src/sources/source';
import {
  casesOf,
  contextWith,
  FIXTURES,
  outcomeOf,
  readFixture,
  SECRET,
  SENT_AT,
  stored,
} from '../support/source-cases';

/**
 * Payloads that others wrote, kept outside of the repository because of their licences. Where the folder is
 * not there, the repository's own fixtures take their place.
 */
const SHARED = resolve(
  process.env.PONTE_SHARED_FIXTURES ?? join(__dirname, '..', '..', '..', 'shared', 'fixtures'),
);
const PROVIDERS = ['shopify', 'woocommerce'];
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
  topic: string;
  settings?: Record<string, unknown>;
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
  // WooCommerce has no topic for refunds: they come inside of their order.
  { file: 'woocommerce/refund.json', topic: 'order.updated', unreadable: '$.status is missing' },
  { file: 'woocommerce/refund_single.json', topic: 'order.updated', unreadable: '$.status is missing' },
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
    casesOf(provider).map(({ file, topic, settings, expected, ignored }) => ({
      file: `${provider}/${file}`,
      topic,
      ...(settings && { settings }),
      ...(expected === undefined
        ? { ignored }
        : summary(JSON.parse(readFixture(provider, `expected/${expected}`).toString('utf8')) as Told[])),
    })),
  );
}

/** Some files wrap what the webhook sends bare. */
function bare(bytes: Buffer): Buffer {
  const value = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  const [key = '', ...others] = Object.keys(value);
  const wrapped = others.length === 0 && ['order', 'refund', 'customer', 'transaction', 'data'].includes(key);
  return wrapped ? Buffer.from(JSON.stringify(value[key])) : bytes;
}

/** Sends a file the whole way: signed, verified, identified, normalised. */
function deliver({ file, topic, settings }: Pick<Row, 'file' | 'topic' | 'settings'>): Outcome {
  const [id = ''] = file.split('/');
  const provider = findProvider(id);
  if (!provider) throw new Error(`there is no provider ${id}`);
  const rawBody = bare(readFileSync(join(folder, file)));
  const headers = signedHeaders(id, { secret: SECRET, body: rawBody, topic, id: 'd-1', sentAt: SENT_AT });
  const request = { method: 'POST', headers, query: {}, rawBody };
  expect(provider.verify(request, [SECRET], {}, SENT_AT)).toEqual({ ok: true });
  const { attributes } = provider.identify(request);
  try {
    const outcome = outcomeOf(provider, stored(topic, rawBody, attributes), contextWith(settings));
    const { events, ignored } = outcome as { events?: Told[]; ignored?: string };
    return events ? summary(events) : { ignored };
  } catch (error) {
    if (error instanceof UnreadablePayload) return { unreadable: error.message };
    throw error;
  }
}

describe(`payloads in ${isThere ? 'the shared folder' : 'the own fixtures'}`, () => {
  const rows = isThere ? ROWS : ownRows();
  const files = PROVIDERS.flatMap((provider) =>
    readdirSync(join(folder, provider))
      .filter((file) => file.endsWith('.json') && file !== 'cases.json')
      .map((file) => `${provider}/${file}`),
  );

  it.each(rows.map((row) => [row.file, row.topic, row] as const))('%s as %s', (_file, _topic, row) => {
    const { file, topic, settings, ...expected } = row;
    expect(deliver({ file, topic, settings })).toEqual(expected);
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
