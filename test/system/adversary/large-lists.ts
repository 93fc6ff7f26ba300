import { readFixture } from '../../support/source-cases';
import { shopifyOrder } from '../../../scripts/demo/shop-orders';
import { cpfNumber } from '../../support/documents';
import { eachOf } from './exchange';
import { loose } from './poison';
import type { Target } from './target';
import { faultOf, report } from './verdict';
import { deliver, deliveriesIn, signed, type Webhook } from './webhooks';

/** As many as 1 MiB has room for. */
const ENTRIES = 8_700;
/** How long the ordinary orders may take that stand in line with the large ones, in milliseconds. */
const WITHIN_MS = 100_000;
const ORDINARY = 20;

/** Orders of almost 1 MB, each with one list of thousands, and ordinary ones of the same organization among them. */
export async function largeLists(target: Target, count: number): Promise<string[]> {
  const large = Array.from({ length: count }, (_, index) => largeOrder(index));
  const ordinary = Array.from({ length: ORDINARY }, (_, index) => ordinaryOrder(index));
  const faults: string[] = [];
  const deliveries: string[] = [];
  await eachOf([...large, ...ordinary], 8, async (webhook) => {
    const request = signed(webhook);
    const reply = await deliver(target, request, WITHIN_MS);
    const fault = faultOf(request, reply) ?? (reply.status === 200 ? undefined : `${reply.status}`);
    if (fault !== undefined) faults.push(report(request, reply, fault).slice(0, 500));
    else if (webhook.id.startsWith('ordinary'))
      deliveries.push((JSON.parse(reply.text) as { delivery: string }).delivery);
  });
  faults.push(...(await loose(target, WITHIN_MS)));
  const done = new Set((await deliveriesIn(target, 'done')).map(({ id }) => id));
  const missing = deliveries.filter((id) => !done.has(id));
  return missing.length === 0
    ? faults
    : [...faults, `${missing.length} of ${ORDINARY} ordinary orders are not done`];
}

function largeOrder(index: number): Webhook {
  const root = JSON.parse(readFixture('shopify', 'order-partially-refunded.json').toString('utf8')) as Record<
    string,
    unknown
  >;
  root['id'] = 5_000_000_000_000 + index;
  const [[list, entry]] = [LISTS[index % LISTS.length]!];
  root[list] = Array.from({ length: ENTRIES }, (_, number) => entry(number));
  return { source: 'shopify', topic: 'orders/updated', id: `large ${index}`, body: JSON.stringify(root) };
}

/** By name, with what stands in it: about a hundred bytes an entry. */
const LISTS: readonly (readonly [string, (number: number) => object])[] = [
  ['refunds', (id) => refund(id, '2026-07-20T10:00:00', '0.01')],
  // Without an offset, and each on another day: the zone has to be asked.
  ['refunds', (id) => refund(id, `${2000 + (id % 28)}-0${1 + (id % 9)}-1${id % 10}T10:00:00`, '1.00')],
  ['line_items', (id) => ({ id, title: `Cadeira ${id}`, sku: `S-${id}`, quantity: 1, price: '1.00' })],
  ['note_attributes', (id) => ({ name: `campo ${id}`, value: 'x'.repeat(60) })],
  ['transactions', (id) => ({ id, kind: 'sale', status: 'success', amount: '1.00', gateway: 'x' })],
  ['tax_lines', (id) => ({ title: `ICMS ${id}`, price: '0.01', rate: 0.17 })],
];

function refund(id: number, at: string, amount: string): object {
  return { id, created_at: at, transactions: [{ kind: 'refund', status: 'success', amount }] };
}

function ordinaryOrder(index: number): Webhook {
  const order = {
    id: 5_500_000_000_000 + index,
    number: index,
    total: '75.50',
    name: `Cliente ${index}`,
    document: cpfNumber(50_000 + index),
    email: `c${index}@example.com`,
    instalments: 2,
  };
  return {
    source: 'shopify',
    topic: 'orders/paid',
    id: `ordinary ${index}`,
    body: shopifyOrder(order, true),
  };
}
