import type { Random } from '../../support/random';
import { readFixture } from '../../support/source-cases';
import { eachOf } from './exchange';
import { EXTREMES } from './mutants';
import { ATTACKED, PROVIDERS, type SourceSlug, type Target } from './target';
import { faultOf, report } from './verdict';
import { deliver, deliveriesIn, signed, unsettled, type Webhook } from './webhooks';

/** What a shop can be talked into sending: each text is quadratic, or worse, for somebody who handles it carelessly. */
const TEXTS: Readonly<Record<string, string>> = {
  'combining marks out of order': `a${'\u0315'.repeat(75_000)}${'\u0300'.repeat(75_000)}`,
  'combining marks, many times a few': 'a\u0315\u0300\u0323'.repeat(30_000),
  'Hangul to be composed': '\u1112\u1161\u11ab'.repeat(40_000),
  'one character of many': '\ufdfa'.repeat(100_000),
  spaces: `${' '.repeat(300_000)}x${' '.repeat(300_000)}`,
  dots: '.'.repeat(500_000),
  digits: '9'.repeat(500_000),
  brackets: '('.repeat(500_000),
  'digits and dots': '1.'.repeat(250_000),
  'no width': '\u200b\u200d\u2060\ufeff'.repeat(70_000),
  'half surrogates': '\ud800'.repeat(100_000),
  'null characters': '\u0000'.repeat(100_000),
  'from right to left': '\u202e\u05d0\u0627'.repeat(80_000),
  'line breaks': '\r\n'.repeat(250_000),
  'at signs': '@.'.repeat(250_000),
  slashes: '/'.repeat(500_000),
  'almost a megabyte': 'x'.repeat(1_000_000),
  'Turkish capitals': '\u0130'.repeat(250_000),
};

/** Structures and numbers as JSON texts. */
const VALUES: Readonly<Record<string, string>> = {
  'deep lists': `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  'deep objects': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  '100,000 keys': `{${Array.from({ length: 60_000 }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`,
  '100,000 times one key': `{${Array.from({ length: 100_000 }, () => '"a":1').join(',')}}`,
  '400,000 digits': '9'.repeat(400_000),
  '400,000 decimals': `0.${'0'.repeat(400_000)}1`,
  'an exponent of 400,000 digits': `1e${'9'.repeat(400_000)}`,
  'a text of 400,000 digits': `"${'9'.repeat(400_000)}"`,
};

/** Where a shop lets strangers write, as JSON pointers into a fixture; `@` at the end: the name, not the value. */
const PLACES: Readonly<Record<SourceSlug, readonly string[]>> = {
  shopify: [
    ...[
      'note_attributes/0/name',
      'note_attributes/0/value',
      'customer/first_name',
      'billing_address/address1',
    ],
    ...['billing_address/city', 'line_items/0/sku', 'line_items/0/title', 'name', 'email', 'phone'],
    ...['payment_gateway_names/0', 'total_price', 'created_at', 'currency', 'id', 'line_items/0/quantity'],
  ],
  woocommerce: [
    ...['meta_data/0/key', 'meta_data/0/value', 'billing/first_name', 'billing/address_1', 'billing/cpf'],
    ...[
      'line_items/0/sku',
      'line_items/0/name',
      'number',
      'billing/email',
      'billing/phone',
      'payment_method',
    ],
    ...['total', 'date_created', 'currency', 'id', 'line_items/0/quantity', 'date_paid'],
  ],
  standard: [
    ...['data/customer/name', 'data/customer/document', 'data/customer/address/line1', 'data/lines/0/sku'],
    ...['data/lines/0/title', 'data/number', 'data/id', 'data/customer/email', 'data/payment/gateway'],
    ...['data/total', 'data/createdAt', 'data/currency', 'data/lines/0/quantity', 'data/instalments', 'type'],
  ],
};

const FIXTURES: Readonly<Record<SourceSlug, readonly [file: string, topic: string]>> = {
  shopify: ['order-paid.json', 'orders/paid'],
  woocommerce: ['order-processing.json', 'order.updated'],
  standard: ['order-paid.json', 'order.paid'],
};

/** Names of custom fields, where a shop's plug-ins put what a buyer typed; the first of them are read one by one. */
const CUSTOM_FIELDS: Readonly<Record<SourceSlug, readonly [list: string, name: string]>> = {
  shopify: ['note_attributes', 'name'],
  woocommerce: ['meta_data', 'key'],
  standard: ['data/lines', 'title'],
};

/** @param most how many bodies; those that once took the service down come first, the others at random */
export function poisonedWebhooks(most: number, random: Random): Webhook[] {
  const all = (Object.keys(PLACES) as SourceSlug[]).flatMap((source) => [
    manyFields(source),
    ...PLACES[source].flatMap((place) => [
      ...Object.entries(TEXTS).map(([name, text]) => poisoned(source, place, JSON.stringify(text), name)),
      ...Object.entries(VALUES).map(([name, json]) => poisoned(source, place, json, name)),
      ...EXTREMES.map((json) => poisoned(source, place, json, json)),
    ]),
  ]);
  const worst = all.filter(({ id }) =>
    /out of order.*(0\/name|0\/key|customer\/name|first_name)|many fields/.test(id),
  );
  const rest = all.filter((webhook) => !worst.includes(webhook));
  const chosen = Array.from({ length: Math.max(0, most - worst.length) }, () => random.pick(rest));
  return [...worst, ...chosen].map((webhook, index) => ({
    ...webhook,
    id: `${index} ${webhook.id}`.slice(0, 200),
  }));
}

/** Sends them all, and waits until each delivery has ended, dead ones with a sentence. */
export async function poison(target: Target, most: number, random: Random): Promise<string[]> {
  const faults: string[] = [];
  await eachOf(poisonedWebhooks(most, random), 6, async (webhook) => {
    const request = signed(webhook);
    const reply = await deliver(target, request, 60_000);
    const fault = reply.status === 413 ? undefined : faultOf(request, reply);
    if (fault !== undefined) faults.push(`${webhook.id}: ${report(request, reply, fault).slice(0, 600)}`);
  });
  return [...faults, ...(await loose(target, 60_000))];
}

/** Deliveries that have not ended, or ended without a sentence. */
export async function loose(target: Target, withinMs: number): Promise<string[]> {
  const waiting = await unsettled(target, withinMs);
  if (waiting.length > 0) return [`${waiting.length} deliveries of ${ATTACKED} have not ended`];
  const dead = await deliveriesIn(target, 'dead');
  return dead.filter(({ reason }) => !reason).map(({ id }) => `delivery ${id} is dead without a reason`);
}

function manyFields(source: SourceSlug): Webhook {
  const [file, topic] = FIXTURES[source];
  const root: unknown = JSON.parse(readFixture(PROVIDERS[source], file).toString('utf8'));
  const [list, name] = CUSTOM_FIELDS[source];
  const text = `a${'\u0315'.repeat(1_000)}${'\u0300'.repeat(1_000)}`;
  set(
    root,
    list,
    Array.from({ length: 200 }, (_, index) => ({ [name]: `${index}${text}`, value: 'x' })),
  );
  return { source, topic, id: `many fields of ${source}`, body: JSON.stringify(root) };
}

function poisoned(source: SourceSlug, place: string, json: string, name: string): Webhook {
  const [file, topic] = FIXTURES[source];
  const root: unknown = JSON.parse(readFixture(PROVIDERS[source], file).toString('utf8'));
  // An order of its own, where the place is not the order's own number.
  set(root, source === 'standard' ? 'data/id' : 'id', `${Math.abs(hash(place + name))}`);
  set(root, place, '@@here@@');
  const body = JSON.stringify(root).replace('"@@here@@"', () => json);
  return { source, topic, id: `${name.slice(0, 60)} at ${source} ${place}`.replace(/[^ -~]/g, '?'), body };
}

function set(root: unknown, place: string, value: unknown): void {
  const path = place.split('/');
  let holder = root as Record<string, unknown>;
  for (const key of path.slice(0, -1)) holder = (holder[key] ??= {}) as Record<string, unknown>;
  holder[path.at(-1)!] = value;
}

function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (Math.imul(value, 31) + character.charCodeAt(0)) | 0;
  return value;
}
