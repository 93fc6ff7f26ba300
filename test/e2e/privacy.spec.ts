import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DemoOrder, shopifyOrder, wooOrder } from '../../scripts/demo/shop-orders';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { ErasureWorker } from '../../src/privacy/erasure-worker';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { newId } from '../../src/kernel/identifier';
import { cpfNumber } from '../support/documents';
import { placesOf } from '../support/find-text';
import { OrderHarness } from '../support/order-harness';
import { RecordingServer } from '../support/recording-server';
import { putInForce } from '../support/settling-rule';
import { until } from '../support/until';

const ORDER_PAID = readFileSync(join(__dirname, '../../config/profiles/cash/order-paid.yaml'), 'utf8');
/** A rule that copies personal data wherever a rule can. */
const RULE =
  ORDER_PAID.replaceAll(
    'description: ${order.source} order ${order.number}',
    'description: Sale to ${order.customer.name}, order ${order.number}',
  ) +
  `
  - id: look
    do: attention.raise
    key: \${order.key}/look
    with:
      code: rule-look
      message: \${order.customer.name} (\${order.customer.email}) bought something
      value: \${order.total}
  - id: gift
    if: order.number.endsWith("6699")
    do: payment.register
    approval: required
    key: \${order.key}/gift
    with:
      account: \${tables.gatewayAccount[order.payment.gateway]}
      value: \${money("1.00")}
      date: \${order.createdAt.dateIn(org.timeZone)}
      description: Gift for \${order.customer.name}
  - id: tell
    do: http.notify
    key: \${order.key}/booked
    with:
      endpoint: partner
      type: order.booked
      data: { buyer: '\${order.customer.name}', mail: '\${order.customer.email}' }
`;

const GONE: DemoOrder = {
  ...{ id: 6_600_000_000_001, number: 6601, total: '120.00', name: 'Zenaide Quaresma', instalments: 2 },
  ...{ document: '529.982.247-25', email: 'Zenaide@Example.com' },
};
const SAME_NAME: DemoOrder = {
  ...{ id: 6_600_000_000_101, number: 6602, total: '80.00', name: 'Zenaide Quaresma', instalments: 1 },
  ...{ document: '111.444.777-35', email: 'outra@example.com' },
};
const OTHER: DemoOrder = {
  ...{ id: 6_600_000_000_201, number: 6603, total: '55.00', name: 'Belmira Tavares', instalments: 1 },
  ...{ document: '935.411.347-80', email: 'belmira@example.com' },
};
/** What only the erased person has. */
const THEIRS = ['zenaide@example.com', '52998224725', '529.982.247-25', '98765-4321', '11987654321'];

function withPhone(body: Buffer, phone: string): Buffer {
  const order = JSON.parse(body.toString()) as Record<string, object>;
  return Buffer.from(JSON.stringify({ ...order, phone, customer: { ...order['customer'], phone } }));
}

interface Plan {
  plan: string;
  customers: string[];
  deliveries: number;
  dead: number;
  erasure: string | null;
  eraseElsewhere: string[];
}

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded({ NOTIFICATION_ALLOWED_NETWORKS: '127.0.0.0/8' })],
  [
    'before a remote finance service',
    () => OrderHarness.remote({ uniqueDocuments: true }, { NOTIFICATION_ALLOWED_NETWORKS: '127.0.0.0/8' }),
  ],
])('a person is erased, %s', (where, open) => {
  const isRemote = where.startsWith('before');
  let harness: OrderHarness;
  let receiver: RecordingServer;

  beforeAll(async () => {
    harness = await open();
    receiver = await RecordingServer.start();
    receiver.answer({ status: 200 });
    await putInForce(harness.service, [RULE, 1]);
    const made = await harness.service.operate('post', 'notifications/endpoints', {
      ...{ name: 'partner', url: `${receiver.url}/hook` },
    });
    expect(made.status).toBe(201);
  });
  afterAll(async () => {
    await harness.stop();
    await receiver.stop();
  });

  async function sell(order: DemoOrder, phone?: string): Promise<void> {
    for (const paid of [false, true]) {
      const plain = shopifyOrder(order, paid);
      const body = phone === undefined ? plain : withPhone(plain, phone);
      const topic = paid ? 'orders/paid' : 'orders/create';
      const sent = await harness.service.hook({ source: 'shopify', topic, body, id: `${order.id}-${topic}` });
      expect(sent.status).toBe(200);
    }
    await settled();
  }

  async function settled(): Promise<void> {
    const { prisma } = harness.service.database;
    await until(async () => (await prisma.delivery.count({ where: { state: 'waiting' } })) === 0);
    await until(async () => {
      await harness.service.part(DeferredWorker).run();
      return (await prisma.deferredEffect.count({ where: { state: 'waiting' } })) === 0;
    });
  }

  async function erase(body: object): Promise<Plan> {
    const asked = { ...body, reason: 'asked by Zenaide Quaresma by e-mail' };
    const planned = await harness.service.operate('post', 'privacy/erase', asked);
    expect([planned.status, planned.text]).toEqual([200, expect.any(String)]);
    const { plan } = planned.body as Plan;
    const begun = await harness.service.operate('post', 'privacy/erase', { ...asked, dryRun: false, plan });
    expect([begun.status, begun.text]).toEqual([200, expect.any(String)]);
    return begun.body as Plan;
  }

  /** As far as it can go now, whoever is at it: the timer of the service may be. */
  async function ended(erasure: string | null): Promise<{ state: string; note: string | null }> {
    const shown = async () =>
      (await harness.service.admin(`privacy/erasures/${erasure ?? ''}`)) as {
        state: string;
        note: string | null;
      };
    await until(async () => {
      await harness.service.part(ErasureWorker).work();
      return (await shown()).state !== 'running';
    });
    return shown();
  }

  /** Earlier versions kept people in plans, in changes of the feed and in settled calls. @param id of the customer */
  async function storeAsEarlier(id: string, person: object): Promise<void> {
    const { prisma } = harness.service.database;
    const said = JSON.stringify(person);
    const plans = await prisma.$executeRaw`
      update run r set plan = jsonb_set(r.plan, '{steps,0,effects,0}',
        (r.plan #> '{steps,0,effects,0}') - 'leftOut' || jsonb_build_object('input', ${said}::jsonb))
      from effect e where e.key = r.plan #>> '{steps,0,effects,0,key}' and e.output ->> 'id' = ${id}`;
    const changes = await prisma.$executeRaw`
      update feed_stored_change set people_by_identifier = null, data = ${JSON.stringify({ id, ...person })}::json
      where type = 'customer.created' and subject like ${`%${id}`}`;
    const calls = await prisma.$executeRaw`
      update finance_call set request = request - 'leftOut' || jsonb_build_object('body', ${said}::jsonb)
      where operation = 'customers.create' and output ->> 'id' = ${id}`;
    expect([plans, changes, calls]).toEqual([1, 1, isRemote ? 1 : 0]);
  }

  const books = async () => ({
    entries: await harness.books.prisma.entry.count(),
    schedules: await harness.books.prisma.schedule.aggregate({ _sum: { valueMinor: true, openMinor: true } }),
  });

  it('nowhere is anything of theirs left, everything of the others is, and nothing is booked twice', async () => {
    await sell(GONE, '+55 (11) 98765-4321');
    await sell(SAME_NAME);
    await sell(OTHER);
    const sent = { source: 'woocommerce', topic: 'order.updated' } as const;
    await harness.service.hook({ ...sent, body: wooOrder({ ...GONE, id: 77, number: 77 }, 'processing') });
    await settled();
    const { prisma } = harness.service.database;
    const dead = await prisma.delivery.findMany({ where: { state: { not: 'done' } } });
    expect(dead.map(({ reason }) => reason)).toEqual([]);
    // Whoever tries all numbers finds none: nothing is made of a document alone, nor of what everybody can read.
    const { id: organizationId } = await prisma.organization.findFirstOrThrow();
    const guesses = ['', `${organizationId}/`].flatMap((salt) =>
      ['md5', 'sha1', 'sha256', 'sha512'].map((algorithm) => hash(algorithm, `${salt}52998224725`, 'hex')),
    );
    expect(await placesOf(harness.service.database, guesses)).toEqual([]);
    const before = await books();
    const others = [SAME_NAME, OTHER].flatMap(({ email, document }) => [email, document]);
    const othersBefore = await placesOf(harness.service.database, others);
    expect((await placesOf(harness.service.database, THEIRS)).length).toBeGreaterThan(3);
    const copy = await harness.service.operate('post', 'privacy/export', {
      ...{ email: 'ZENAIDE@example.com', reason: 'asked by e-mail' },
    });
    expect([copy.status, copy.text]).toEqual([200, expect.any(String)]);
    expect(copy.text).toContain('Rua das Laranjeiras');
    expect(copy.text).not.toContain('belmira');
    expect(copy.text).not.toContain('111.444');

    const begun = await erase({ document: '52998224725' });
    expect(begun.customers).toHaveLength(1);
    expect(begun).toMatchObject({ dead: 0, deliveries: 3, eraseElsewhere: isRemote ? begun.customers : [] });
    expect(await ended(begun.erasure)).toMatchObject({ state: 'done', note: null });

    expect(await placesOf(harness.service.database, THEIRS)).toEqual([]);
    const named = await prisma.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from run where plan::text like '%Zenaide%'`;
    expect(named).toEqual([{ count: 1 }]);
    expect(await placesOf(harness.service.database, others)).toEqual(othersBefore);
    // Digests of names and telephone numbers can be guessed.
    const digests = await prisma.$queryRaw<{ id: string | null }[]>`
      select output ->> 'id' as id from finance_call where request ? 'said'`;
    expect(digests.map(({ id }) => id)).not.toContain(begun.customers[0]);
    expect(digests).toHaveLength(isRemote ? 2 : 0);
    expect(await books()).toEqual(before);
    if (!isRemote) {
      expect(await verifyLedger(prisma)).not.toHaveProperty('difference');
      expect(await prisma.stakeholder.count({ where: { erasedAt: { not: null } } })).toBe(1);
    }

    // The same webhooks again, with other ids: they are received as ever, and find what is booked.
    const again = withPhone(shopifyOrder(GONE, true), '+55 (11) 98765-4321');
    await harness.service.hook({ source: 'shopify', topic: 'orders/paid', body: again, id: 'again' });
    await settled();
    expect(await books()).toEqual(before);
    expect(await placesOf(harness.service.database, ['x-nothing'])).toEqual([]);

    // What came in again goes when it is asked for again.
    const second = await erase({ email: 'zenaide@example.com' });
    expect(await ended(second.erasure)).toMatchObject({ state: 'done' });
    expect(await placesOf(harness.service.database, THEIRS)).toEqual([]);
    expect(await books()).toEqual(before);

    // A new order makes a new customer.
    await sell({ ...GONE, id: GONE.id + 50, number: 6650 });
    if (!isRemote) {
      const stakeholders = await prisma.stakeholder.findMany({ where: { document: '52998224725' } });
      expect(stakeholders).toMatchObject([{ name: 'Zenaide Quaresma', erasedAt: null }]);
      expect(await prisma.schedule.count({ where: { stakeholderId: stakeholders[0]?.id ?? '' } })).toBe(2);
    }
  });

  it("a shop's request that names no order finds the customer by what the shop knows of them", async () => {
    const order = { ...OTHER, id: 6_600_000_000_801, number: 6680, name: 'Tibério Fontes' };
    const buyer = { ...order, document: cpfNumber(66_080), email: 'tiberio@example.com' };
    await sell(buyer);
    const { prisma } = harness.service.database;
    const made = await prisma.effect.findFirstOrThrow({
      where: { operation: 'customer.ensure' },
      orderBy: { updatedAt: 'desc' },
    });
    const customer = { id: buyer.id + 7, email: buyer.email, phone: null };
    const body = { shop_id: 1, shop_domain: 'minhaloja.myshopify.com', orders_to_redact: [], customer };
    const sent = { source: 'shopify', topic: 'customers/redact', body: JSON.stringify(body) } as const;
    await harness.service.hook(sent);
    await settled();
    const { items } = (await harness.service.admin('privacy/erasures')) as { items: { id: string }[] };
    expect(await ended(items[0]?.id ?? null)).toMatchObject({ state: 'done' });
    expect(await harness.service.admin(`privacy/erasures/${items[0]?.id ?? ''}`)).toMatchObject({
      customers: [(made.output as { id: string }).id],
    });
    const texts = [buyer.email, buyer.document, 'Fontes'];
    expect(await placesOf(harness.service.database, texts)).toEqual([]);
  });

  it('a name goes with what clients wrote, what waits for approval, and what earlier versions stored', async () => {
    const name = 'Ursulina Bragança';
    const document = cpfNumber(66_099);
    const email = 'ursulina@example.com';
    const { prisma } = harness.service.database;
    const made = await harness.service.operate('post', 'keys', {
      ...{ name: 'till', scopes: ['finance:read', 'finance:write'] },
    });
    const v1 = (path: string, body: object) =>
      harness.service.http
        .post(`/v1${path}`)
        .set('authorization', `Bearer ${(made.body as { key: string }).key}`)
        .set('idempotency-key', `till-${path}`)
        .send(body);
    const address = { line1: 'Travessa dos Jacarandás 77', city: 'Santos', country: 'BR' };
    const customer = await v1('/customers', { name, email, address, document: { number: document } });
    expect([customer.status, customer.text]).toEqual([200, expect.any(String)]);
    const id = JSON.parse(customer.text) as string;
    await sell({ ...GONE, id: 6_600_000_000_901, number: 6699, name, document, email }, '+55 13 91234-0077');
    await prisma.auditEntry.create({
      data: {
        ...{
          id: newId(),
          organizationId: (await prisma.organization.findFirstOrThrow()).id,
          actor: 'earlier',
        },
        ...{
          action: 'customer.change',
          subject: id,
          before: { name, email },
          after: { name: 'URSULINA  BRAGANCA' },
        },
      },
    });
    const texts = ['Ursulina', 'Bragan', 'Jacarand', email, document, '91234'];
    await storeAsEarlier(id, { name, document, email });
    expect(await placesOf(harness.service.database, texts)).toEqual(
      expect.arrayContaining([
        ...[
          'approval.plan',
          'attention.detail',
          'audit_entry.after',
          'audit_entry.before',
          'delivery_body.body',
        ],
        ...['feed_stored_change.data', 'run.plan'],
        ...(isRemote ? ['finance_call.request'] : ['schedule.description', 'stakeholder.email']),
      ]),
    );

    const { erasure } = await erase({ document });
    expect(await ended(erasure)).toMatchObject({
      ...{ state: 'waiting', note: 'it waits for 1 effects that an operator has to approve or decline' },
    });
    const [asked] = ((await harness.service.admin('approvals')) as { items: { id: string }[] }).items;
    const declined = await harness.service.operate('post', `approvals/${asked?.id ?? ''}/decline`, {
      reason: 'no gift',
    });
    expect([declined.status, declined.text]).toEqual([204, '']);
    await settled();
    await prisma.$executeRaw`update erasure set due_at = now()`;
    expect(await ended(erasure)).toMatchObject({ state: 'done' });
    expect(await placesOf(harness.service.database, texts)).toEqual([]);
    expect(await prisma.effect.count({ where: { key: { startsWith: 'customer/erased/' } } })).toBeGreaterThan(
      0,
    );
  });

  it('an unknown person is not found, whatever they are asked for by', async () => {
    for (const path of ['privacy/export', 'privacy/erase'])
      for (const person of [{ document: '390.533.447-05' }, { email: 'nobody@example.com' }]) {
        const reply = await harness.service.operate('post', path, { ...person, reason: 'asked' });
        expect([reply.status, (reply.body as { detail: string }).detail]).toEqual([
          404,
          'Nothing is stored about such a person',
        ]);
      }
  });
});
