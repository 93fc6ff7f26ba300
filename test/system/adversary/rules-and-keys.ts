import { setTimeout as sleep } from 'node:timers/promises';
import { readFixture } from '../../support/source-cases';
import { eachOf, exchange, type Request } from './exchange';
import { loose } from './poison';
import { ATTACKED, isPutOff, OPERATORS_KEY, type Target } from './target';
import { faultOf, report } from './verdict';
import { deliver, signed } from './webhooks';

const RULES = `/admin/organizations/${ATTACKED}/rules`;
/** Wrong keys come from elsewhere than the bystander's operators. */
const STRANGER = '127.0.0.77';

/** Rules, each within its budget, and an order of 26 KB that all of them look at from end to end. */
export async function manyRules(target: Target, count: number): Promise<string[]> {
  const faults: string[] = [];
  const names = Array.from({ length: count }, (_, index) => `heavy-${index}`);
  let put = 0;
  await eachOf(names, 4, async (name) => {
    const request = operators('PUT', `${RULES}/${name}`, heavyRule(name), 'application/yaml');
    const reply = await untilTaken(target, request);
    if (reply.status === 200) put += 1;
    const fault = faultOf(request, reply);
    if (fault !== undefined) faults.push(report(request, reply, fault));
  });
  // That there may not be so many is a good answer, too; but then there are as many as there may be.
  if (put === 0) faults.push('no rule was taken: the attack has to be written anew');
  for (let order = 0; order < 3; order += 1) {
    const request = signed({
      source: 'shopify',
      topic: 'orders/paid',
      id: `lines ${order}`,
      body: orderOfLines(order),
    });
    const reply = await deliver(target, request, 60_000);
    const fault = faultOf(request, reply);
    if (fault !== undefined) faults.push(report(request, reply, fault).slice(0, 500));
  }
  return [...faults, ...(await loose(target, 90_000))];
}

/** Documents and events that operators send by mistake, or somebody with their key on purpose. */
export async function checksAndPreviews(target: Target, times: number): Promise<string[]> {
  const faults: string[] = [];
  const requests = [
    ...Object.values(DOCUMENTS).map((text) => operators('POST', `${RULES}/check`, text, 'application/yaml')),
    ...Object.values(DOCUMENTS).map((text) =>
      operators('PUT', `${RULES}/check-me`, text, 'application/yaml'),
    ),
    ...Object.values(DOCUMENTS).map((document) => preview({ event: event({}), document })),
    preview({
      event: event(
        Object.fromEntries(Array.from({ length: 17_000 }, (_, index) => [`unknown${index}`, index])),
      ),
    }),
    preview({
      event: event({
        lines: Array.from({ length: 9_000 }, () => ({ title: 'x', quantity: 1, price: TEN })),
      }),
    }),
    preview({ event: event({ number: 'a' + '\u0315'.repeat(70_000) + '\u0300'.repeat(70_000) }) }),
  ];
  const all = Array.from({ length: times }, () => requests).flat();
  await eachOf(all, 4, async (request) => {
    const reply = await untilTaken(target, request);
    const fault = faultOf(request, reply);
    if (fault !== undefined) faults.push(report(request, reply, fault).slice(0, 500));
  });
  return faults;
}

/** Time zones in every spelling that a zone's name can have, in rules, previews and organizations. */
export async function spellingsOfZones(target: Target, count: number): Promise<string[]> {
  const faults: string[] = [];
  const zones = Array.from({ length: count }, (_, index) => spelt(index));
  const events = zones.map((_, preview) =>
    event({
      lines: Array.from({ length: ZONES_AN_ORDER }, (_line, index) => ({
        title: spelt(count + preview * ZONES_AN_ORDER + index),
        quantity: 1,
        price: TEN,
      })),
    }),
  );
  let previewed = 0;
  const requests = [
    ...events.map((told) => preview({ event: told, document: RULE_OF_ZONES }, 'zones')),
    ...zones.map((timeZone) =>
      operators('PATCH', `/admin/organizations/${ATTACKED}`, JSON.stringify({ timeZone })),
    ),
  ];
  await eachOf(requests, 4, async (request) => {
    const reply = await untilTaken(target, request);
    if (request.method === 'POST' && reply.text.includes('"matched":true')) previewed += 1;
    const fault = faultOf(request, reply);
    if (fault !== undefined) faults.push(report(request, reply, fault));
  });
  return previewed > 0 ? faults : [...faults, 'no preview was made: the attack has to be written anew'];
}

/** Keys that are none, at every API, as fast as one machine can send them. */
export async function floodOfKeys(target: Target, count: number): Promise<string[]> {
  const faults: string[] = [];
  const paths = [
    '/admin/organizations',
    `/admin/organizations/${ATTACKED}/deliveries`,
    '/v1/accounts',
    '/feed',
  ];
  await eachOf(
    Array.from({ length: count }, (_, index) => index),
    24,
    async (index) => {
      const path = paths[index % paths.length]!;
      const key = index % 3 === 0 ? 'k'.repeat(5_000) : `ponte_${String(index).padStart(43, 'k')}`;
      const request = { method: 'GET', path, headers: { authorization: `Bearer ${key}` }, from: STRANGER };
      const reply = await exchange(target.url, request);
      const fault =
        faultOf(request, reply) ??
        (/^(400|401|429|431|503)$/.test(`${reply.status}`) ? undefined : `${reply.status}`);
      if (fault !== undefined) faults.push(report(request, reply, fault).slice(0, 400));
    },
  );
  return [...new Set(faults)].slice(0, 10);
}

async function untilTaken(target: Target, request: Request): ReturnType<typeof exchange> {
  for (let tries = 0; ; tries += 1) {
    const reply = await exchange(target.url, request);
    if (!isPutOff(reply) || tries === 60) return reply;
    await sleep(Math.min(2, Number(reply.headers['retry-after'])) * 1000);
  }
}

function operators(method: string, path: string, body: string, type = 'application/json'): Request {
  return { method, path, body, headers: { authorization: `Bearer ${OPERATORS_KEY}`, 'content-type': type } };
}

function preview(body: object, name = 'order-paid'): Request {
  return operators('POST', `${RULES}/${name}/preview`, JSON.stringify(body));
}

/** Each line beside each: as much as one expression may cost, and a rule may have two of them. */
const PAIRS = 'order.lines.all(a, order.lines.all(b, a.price <= b.price))';

function heavyRule(name: string): string {
  return `rule: ${name}
when:
  event: order.paid
  all:
    - ${PAIRS}
    - ${PAIRS}
then:
  - id: customer
    do: customer.ensure
    with:
      name: \${order.customer.name}
      document: \${order.customer.document}
`;
}

function orderOfLines(index: number): string {
  const root = JSON.parse(readFixture('shopify', 'order-paid.json').toString('utf8')) as Record<
    string,
    unknown
  >;
  root['id'] = 3_000_000_000_000 + index;
  root['line_items'] = Array.from({ length: 450 }, (_, id) => ({
    id,
    title: 'C',
    quantity: 1,
    price: '1.00',
  }));
  return JSON.stringify(root);
}

const MANY = 13_000;

const DOCUMENTS: Readonly<Record<string, string>> = {
  'brackets that open': '['.repeat(65_000),
  'brackets that open and close': `${'['.repeat(32_000)}${']'.repeat(32_000)}`,
  'braces that open': `a: ${'{a: '.repeat(16_000)}`,
  'one key again and again': Array.from({ length: MANY }, () => 'a: 1').join('\n'),
  'many keys': Array.from({ length: 9_000 }, (_, index) => `k${index.toString(36)}: 1`).join('\n'),
  'many keys in braces': `{${Array.from({ length: 8_000 }, (_, index) => `k${index}: 1`).join(',')}}`,
  'aliases of aliases': Array.from(
    { length: 25 },
    (_, index) =>
      `a${index}: &a${index} [${Array(9)
        .fill(`*a${index - 1}`)
        .join(',')}]`,
  )
    .join('\n')
    .replaceAll('*a-1', 'x'),
  indentation: Array.from({ length: 350 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'),
  dashes: '- '.repeat(32_000),
  'question marks': '? '.repeat(32_000),
  quotes: '"a" '.repeat(16_000),
  errors: Array.from({ length: 16_000 }, () => '@ \n').join(''),
  tabs: '\t\n'.repeat(32_000),
  'combining marks': `rule: "a${'\u0315'.repeat(16_000)}${'\u0300'.repeat(16_000)}"`,
  conditions: `rule: many\nwhen:\n  event: order.paid\n  all:\n${Array.from({ length: 3_000 }, () => '    - order.test\n').join('')}then: []\n`,
};

const TEN = { value: '10.00', currency: 'BRL' };

function event(more: object): object {
  return {
    type: 'order.paid',
    key: 'shopify/order/1',
    occurredAt: '2026-07-15T13:00:00Z',
    order: {
      key: 'shopify/order/1',
      source: 'shopify',
      id: '1',
      number: '1',
      total: TEN,
      createdAt: '2026-07-15T13:00:00Z',
      instalments: 1,
      test: false,
      customer: { key: 'shopify/customer/1', name: 'Lia Campos', document: '52998224725' },
      payment: {
        key: 'shopify/payment/1',
        gateway: 'x',
        method: 'x',
        value: TEN,
        paidAt: '2026-07-15T13:00:00Z',
      },
      refunds: [],
      lines: [],
      differences: [],
      ...more,
    },
  };
}

const ZONE = 'America/Argentina/ComodRivadavia';
/** As many lines as a rule may look at. */
const ZONES_AN_ORDER = 500;
const RULE_OF_ZONES = `rule: zones
when:
  event: order.paid
  all:
    - order.lines.all(l, order.createdAt.dateIn(l.title) > date("1990-01-01"))
then:
  - id: customer
    do: customer.ensure
    with:
      name: \${order.customer.name}
`;

/** One zone's name, spelt differently for every number: bit after bit says which letter is a capital. */
function spelt(number: number): string {
  let letters = 0;
  return ZONE.replace(/[a-z]/gi, (letter) =>
    ((number >>> (letters++ % 31)) & 1) === 1 ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
