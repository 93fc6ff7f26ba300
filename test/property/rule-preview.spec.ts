import fc from 'fast-check';
import { type DemoOrder, shopifyOrder, wooOrder } from '../../scripts/demo/shop-orders';
import { send } from '../support/operators-client';
import { OPERATORS_KEY, type SentHook, TestService } from '../support/service';
import { settledEffect } from '../../src/finance/api/effects/settled-effect';
import type { Plan } from '../../src/rules/plan';
import { casesOf, readFixture } from '../support/source-cases';
import { cpfNumber } from '../support/documents';
import { propertyRuns, propertySeed } from '../support/property-runs';
import { until } from '../support/until';

/** Beside those that come with Ponte: a rule for every other event, and one that refuses some orders. */
const RULES: Readonly<Record<string, string>> = {
  created: rule('created', 'order.created', '${order.customer.name}'),
  cancelled: rule('cancelled', 'order.cancelled', '${order.customer.name} of ${order.number}'),
  refunded: rule('refunded', 'order.refunded', '${order.refunds.map(r, string(r.value)).join(", ")}'),
  updated: rule('updated', 'customer.updated', '${customer.name}'),
  'by-gateway': rule('by-gateway', 'order.paid', '${tables.known[order.payment.gateway]}'),
};

function rule(name: string, event: string, value: string): string {
  return [
    `rule: ${name}`,
    `when: { event: ${event} }`,
    'then:',
    `  - { id: customer, do: customer.ensure, key: "${name}/\${event.key}", with: { name: '${value}' } }`,
  ].join('\n');
}

interface Previewed {
  index: number;
  type: string;
  matched: boolean;
  refused: { step: string | null; reason: string } | null;
  plan: { steps: unknown } | null;
}

/** What a delivery came to by each rule: a plan that was run, or a refusal. */
type Outcome = { rule: string; index: number; steps?: unknown; refused?: string };

let service: TestService;
let rules: { name: string; event: string }[];

beforeAll(async () => {
  service = await TestService.start();
  await service.operate('put', 'tables/known', {
    entries: { mercado_pago: 'Mercado Pago', pagarme: 'Pagar.me' },
  });
  for (const [name, document] of Object.entries(RULES)) {
    await service.http
      .put(`/admin/organizations/main/rules/${name}`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .set('content-type', 'text/yaml')
      .send(document)
      .expect(200);
  }
  const all = await send(service, 'get', '/main/rules?limit=100');
  rules = (all.body as { items: typeof rules }).items;
  const names = rules.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['order-paid', ...Object.keys(RULES)]));
});
afterAll(() => service.stop());

async function arrive(hook: SentHook): Promise<string> {
  const reply = await service.hook(hook);
  expect(reply.status).toBe(200);
  const { delivery: id } = reply.body as { delivery: string };
  // Also one that is put off for a moment, as when the database took too long, is worked on in the end.
  await until(async () => {
    const { state } = await service.database.prisma.delivery.findUniqueOrThrow({ where: { id } });
    return state !== 'waiting';
  });
  return id;
}

async function preview(name: string, deliveryId: string): Promise<Previewed[]> {
  const reply = await send(service, 'post', `/main/rules/${name}/preview`, { deliveryId });
  expect(reply.status).toBe(200);
  return (reply.body as { events: Previewed[] }).events;
}

/** The rules of the events that a delivery tells. */
async function concerned(deliveryId: string): Promise<typeof rules> {
  const told = new Set((await preview('order-paid', deliveryId)).map(({ type }) => type));
  return rules.filter(({ event }) => told.has(event));
}

async function previewed(deliveryId: string, of: typeof rules): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name } of of) {
    for (const { index, matched, refused, plan } of await preview(name, deliveryId)) {
      if (!matched) continue;
      const where = refused?.step ? `, step ${refused.step}` : '';
      if (refused) outcomes.push({ rule: name, index, refused: `rule ${name}${where}: ${refused.reason}` });
      else outcomes.push({ rule: name, index, steps: plan?.steps });
    }
  }
  return outcomes.sort(byRule);
}

/** Business keys of the receivables that were booked so far: two random orders may be one order. */
const booked = new Set<string>();

interface Done {
  planned: Outcome[];
  /** Rules and events whose plan counted because the order was booked already, although a preview refuses them. */
  ofBooked: ReadonlySet<string>;
  reason: string;
}

/** What the worker planned, and what it was refused before anything was planned. */
async function done(deliveryId: string): Promise<Done> {
  const { prisma } = service.database;
  const all = await prisma.run.findMany({ where: { deliveryId } });
  const ofBooked = new Set<string>();
  // What counts only where the order is booked already is refused in every other case, as a preview says.
  const runs = all.filter(({ rule: name, eventIndex, plan, state }) => {
    if (!('onlyIfBooked' in (plan as object))) return true;
    const isBooked = receivablesIn(plan).every((key) => booked.has(key));
    expect(state).toBe(isBooked ? 'done' : 'refused');
    if (isBooked) ofBooked.add(`${name}/${eventIndex}`);
    return false;
  });
  for (const { plan, state } of runs)
    if (state === 'done') receivablesIn(plan).forEach((key) => booked.add(key));
  const { reason } = await prisma.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
  const planned = runs.map(({ rule: name, eventIndex, plan }) => ({
    rule: name,
    index: eventIndex,
    steps: (plan as unknown as { steps: unknown }).steps,
  }));
  return { planned: planned.sort(byRule), ofBooked, reason: reason ?? '' };
}

/** As the worker keeps a plan once it is done. */
function settled(steps: unknown): unknown {
  return (steps as Plan['steps']).map((step) => ({ ...step, effects: step.effects.map(settledEffect) }));
}

function receivablesIn(plan: unknown): string[] {
  return (plan as Plan).steps
    .flatMap(({ effects }) => effects)
    .filter(({ operation }) => operation === 'credit-schedule.create')
    .map(({ key }) => key);
}

function byRule(left: Outcome, right: Outcome): number {
  return left.rule.localeCompare(right.rule) || left.index - right.index;
}

/**
 * A plan that the worker made by a rule that is not previewed fails it.
 * @param of which rules are previewed
 * @returns how many plans and refusals there were
 */
async function expectSame(hook: SentHook, of = concerned): Promise<[number, number]> {
  const delivery = await arrive(hook);
  const shown = await previewed(delivery, await of(delivery));
  const { planned, ofBooked, reason } = await done(delivery);
  const kept = shown.flatMap((one) => (one.steps === undefined ? [] : { ...one, steps: settled(one.steps) }));
  expect(kept).toEqual(planned);
  const refusals = shown.flatMap(({ rule: name, index, refused }) =>
    refused === undefined || ofBooked.has(`${name}/${index}`) ? [] : refused,
  );
  expect(refusals.filter((refused) => !reason.includes(refused))).toEqual([]);
  return [planned.length, refusals.length];
}

/** The sources of the test's configuration, and whose webhooks they take. */
const SOURCES: readonly (readonly [SentHook['source'], provider: string])[] = [
  ['shopify', 'shopify'],
  ['woocommerce', 'woocommerce'],
  ['standard', 'standard-webhooks'],
];

const CASES = SOURCES.flatMap(([source, id]) => {
  return casesOf(id)
    .filter(({ settings }) => settings === undefined)
    .map(
      (one) => [`${id}: ${one.says}`, { source, topic: one.topic, body: readFixture(id, one.file) }] as const,
    );
});

const order: fc.Arbitrary<DemoOrder & { paid: boolean; gateway: string }> = fc.record({
  id: fc.integer({ min: 1_000_000, max: 9_000_000_000_000 }),
  number: fc.integer({ min: 1, max: 99_999 }),
  total: fc.oneof(
    fc.constantFrom('0.00', '0.01', '0.05', '1000000.00'),
    fc.integer({ min: 1, max: 9_999_999 }).map((cents) => (cents / 100).toFixed(2)),
  ),
  name: fc.constantFrom('Ana Lima', 'João da Silva e Souza', 'Ὀδυσσεύς', 'x'.repeat(600)),
  document: fc.oneof(
    fc.integer({ min: 1, max: 90_000 }).map(cpfNumber),
    fc.constantFrom('123.456.789-00', ''),
  ),
  email: fc.constantFrom('ana@example.com', ''),
  instalments: fc.integer({ min: 1, max: 24 }),
  paid: fc.boolean(),
  gateway: fc.constantFrom('mercado_pago', 'pagarme', 'stone', ''),
});

const hook: fc.Arbitrary<SentHook> = fc
  .tuple(order, fc.constantFrom('shopify', 'woocommerce', 'standard'))
  .map(([made, source]): SentHook => {
    if (source === 'shopify')
      return {
        source,
        topic: made.paid ? 'orders/paid' : 'orders/create',
        body: shopifyOrder(made, made.paid),
      };
    if (source === 'woocommerce')
      return { source, topic: 'order.updated', body: wooOrder(made, made.paid ? 'processing' : 'pending') };
    return { source: 'standard', topic: 'order.paid', body: standardOrder(made) };
  });

function standardOrder({
  id,
  total,
  name,
  document,
  email,
  instalments,
  gateway,
}: DemoOrder & { gateway: string }): string {
  return JSON.stringify({
    type: 'order.paid',
    timestamp: '2026-07-15T13:04:05Z',
    data: {
      id: String(id),
      total,
      createdAt: '2026-07-15T13:02:11Z',
      instalments,
      customer: { id: `C-${id}`, name, document, email },
      payment: { id: 'p', gateway, method: 'pix' },
    },
  });
}

describe('a preview shows exactly what the worker plans', () => {
  it.each(CASES)('for %s', async (_says, sent) => {
    await expectSame(sent);
  });

  it.each(SOURCES)('for every rule, those of other events too, of a webhook from %s', async (_source, id) => {
    const [, sent] = CASES.find(([says]) => says.startsWith(`${id}: `))!;
    await expectSame(sent, async () => rules);
  });

  it('for an order that is booked already, whose customer would be refused now', async () => {
    const paid = { id: 1_999_999, number: 1, total: '50.00', name: 'Ana Lima', email: '', instalments: 1 };
    const sent = (document: string): SentHook => ({
      ...{ source: 'standard', topic: 'order.paid' },
      body: standardOrder({ ...paid, document, gateway: 'stone' }),
    });
    const [, refusedBefore] = await expectSame(sent('123.456.789-00'));
    await expectSame(sent(cpfNumber(1)));
    const [, refusedAfter] = await expectSame(sent('123.456.789-0'));
    expect([refusedBefore, refusedAfter]).toEqual([2, 1]);
  });

  it('for orders of all kinds, those that are refused too', async () => {
    let [plans, refusals] = [0, 0];
    await fc.assert(
      fc.asyncProperty(hook, async (sent) => {
        const [planned, refused] = await expectSame(sent);
        plans += planned;
        refusals += refused;
      }),
      { numRuns: propertyRuns(60), ...propertySeed() },
    );
    expect(plans).toBeGreaterThan(20);
    expect(refusals).toBeGreaterThan(5);
  });
});
