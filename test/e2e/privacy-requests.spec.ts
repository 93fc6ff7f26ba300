import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { Prisma } from '../../src/database/client/client';
import { newId } from '../../src/kernel/identifier';
import { createLogger, PinoLoggerService } from '../../src/ops/logging';
import { LeaseLost } from '../../src/privacy/erasure-leases.repository';
import { ErasureSteps } from '../../src/privacy/erasure-steps';
import { ErasureWorker } from '../../src/privacy/erasure-worker';
import { SIGNATURE_HEADER } from '../../src/sources/nuvemshop/nuvemshop';
import { hexHmac as signatureOf } from '../../src/sources/signature';
import { placesOf } from '../support/find-text';
import { cpfNumber } from '../support/documents';
import { OPERATORS_KEY, TestService } from '../support/service';
import { until } from '../support/until';

interface Erasure {
  id: string;
  state: string;
  note: string | null;
  requestedBy: string;
  customers: string[];
  counts: Record<string, number>;
}

describe('requests about personal data', () => {
  let service: TestService;
  const lines: string[] = [];
  let people = 0;

  beforeAll(async () => {
    const sink = { write: (line: string) => void lines.push(line) };
    const logger = new PinoLoggerService(createLogger({ logFormat: 'json', logLevel: 'trace' }, sink));
    service = await TestService.start(undefined, {}, logger);
  });
  afterAll(() => service.stop());

  function person(): DemoOrder {
    people += 1;
    return {
      ...{ id: 7_700_000_000_000 + people * 100, number: 7_700 + people, total: '90.00', instalments: 1 },
      ...{ name: `Quiteria${people} Damasceno`, document: cpfNumber(77_000 + people) },
      email: `quiteria${people}@example.com`,
    };
  }

  async function buy(order: DemoOrder): Promise<DemoOrder> {
    await hook('orders/paid', shopifyOrder(order, true));
    return order;
  }

  async function hook(topic: string, body: Buffer | string): Promise<string> {
    const sent = await service.hook({ source: 'shopify', topic, body });
    expect(sent.status).toBe(200);
    await until(
      async () => (await service.database.prisma.delivery.count({ where: { state: 'waiting' } })) === 0,
    );
    return (sent.body as { delivery: string }).delivery;
  }

  async function begin(body: object): Promise<string> {
    const asked = { ...body, reason: 'asked' };
    const planned = await service.operate('post', 'privacy/erase', asked);
    const { plan } = planned.body as { plan: string };
    const begun = await service.operate('post', 'privacy/erase', { ...asked, dryRun: false, plan });
    expect([begun.status, begun.text]).toEqual([200, expect.any(String)]);
    return (begun.body as { erasure: string }).erasure;
  }

  const work = () => service.part(ErasureWorker).work();
  const shown = async (id: string) => (await service.admin(`privacy/erasures/${id}`)) as Erasure;
  /** The timer of the service may be at it just now. */
  async function workUntil(id: string, state: string): Promise<Erasure> {
    await until(async () => {
      await work();
      return (await shown(id)).state === state;
    });
    return shown(id);
  }
  const left = (order: DemoOrder) => placesOf(service.database, [order.email, order.document, order.name]);
  /** Others take it over now, as when its lease had ended. */
  const leaseEnds = () =>
    service.database.prisma.$executeRaw`update erasure set lease_until = now(), due_at = now()`;

  it('an erasure that is killed after any of its parts is finished by whoever takes it next', async () => {
    const order = await buy(person());
    // More than one part goes through: the person is named at the beginning, in between and at the end.
    await service.database.prisma.$executeRaw`
      insert into audit_entry (id, organization_id, actor, action, subject, reason)
      select gen_random_uuid(), (select id from organization where slug = 'main'), 'earlier', 'a.change', 'x' || n,
        case when n % 500 = 0 then 'asked by ' || ${order.email} else 'asked' end
      from generate_series(1, 6000) n`;
    const id = await begin({ document: order.document });
    const steps = service.part(ErasureSteps);
    const step = steps.step.bind(steps);
    for (let deaths = 0; deaths < 30; deaths += 1) {
      let parts = 0;
      const killed = jest.spyOn(steps, 'step').mockImplementation((organization, lease) => {
        parts += 1;
        // The process is gone: nothing is written any more, not even that it failed, and its lease stays.
        if (parts > 1) throw new LeaseLost('killed');
        return step(organization, lease);
      });
      await work();
      killed.mockRestore();
      await leaseEnds();
    }
    expect((await workUntil(id, 'done')).counts).toMatchObject({ stakeholder: 1, run: 1, audit_entry: 12 });
    expect(await left(order)).toEqual([]);
  });

  it('a refund that comes late is booked once on the erased record, and brings nothing of the person back into it', async () => {
    const order = await buy(person());
    await workUntil(await begin({ document: order.document }), 'done');
    const { prisma } = service.database;
    const at = '2026-11-24T09:00:00-03:00';
    const refund = {
      kind: 'refund',
      status: 'success',
      gateway: 'mercado_pago',
      currency: 'BRL',
      processed_at: at,
    };
    const whole = JSON.parse(shopifyOrder(order, true).toString()) as object;
    const refunded = JSON.stringify({
      ...{ ...whole, financial_status: 'refunded', updated_at: at },
      refunds: [
        {
          id: 5,
          created_at: at,
          refund_line_items: [],
          transactions: [{ id: 6, amount: '90.00', ...refund }],
        },
      ],
    });
    const before = await prisma.entry.count();
    await hook('orders/updated', refunded);
    expect(await prisma.entry.count()).toBe(before + 1);
    await hook('orders/updated', refunded.replace('"refunded"', '"refunded" '));
    const backtest = await service.operate('post', 'backtest', { from: '2026-01-01', to: '2026-12-31' });
    expect([backtest.status, await prisma.entry.count()]).toEqual([200, before + 1]);
    // Only what came in since names them, as for anybody: its body.
    const places = (await left(order)).map((place) => place.replace(/(_\d+)*[.].*/, ''));
    expect([...new Set(places)].sort()).toEqual(['delivery_body']);
    const record = await prisma.schedule.findFirstOrThrow({
      where: { reference: { contains: String(order.id) } },
    });
    expect(await prisma.stakeholder.findUniqueOrThrow({ where: { id: record.stakeholderId } })).toMatchObject(
      {
        ...{ name: `Erased person ${record.stakeholderId.slice(-8)}`, email: null, document: null },
      },
    );
    await workUntil(await begin({ document: order.document }), 'done');
    expect(await left(order)).toEqual([]);
  });

  it('somebody is found by an e-mail address in either case of every letter', async () => {
    const order = await buy({ ...person(), email: 'JOSÉ.Conceição@example.com' });
    const id = await begin({ email: 'josé.CONCEIÇÃO@example.com' });
    expect((await workUntil(id, 'done')).counts).toMatchObject({ stakeholder: 1 });
    expect(await left(order)).toEqual([]);
  });

  it('two replicas divide the work, and each erasure is done once', async () => {
    const orders = await Promise.all([person(), person(), person()].map(buy));
    const ids: string[] = [];
    for (const { email } of orders) ids.push(await begin({ email }));
    await Promise.all([work(), work(), work()]);
    for (const id of ids)
      expect((await workUntil(id, 'done')).counts).toMatchObject({ stakeholder: 1, run: 1 });
    for (const order of orders) expect(await left(order)).toEqual([]);
  });

  it('dead letters are waited for, and given up where the operator says so', async () => {
    const order = { ...person(), document: '' };
    await hook('orders/paid', shopifyOrder({ ...order, document: '123.456.789-00' }, true));
    const planned = await service.operate('post', 'privacy/erase', { email: order.email, reason: 'asked' });
    expect(planned.body).toMatchObject({ dead: 1, customers: [] });
    const waits = await begin({ email: order.email });
    expect(await workUntil(waits, 'waiting')).toMatchObject({
      state: 'waiting',
      note: 'it waits for 1 dead letters, to be retried or discarded',
    });
    const attention = await service.database.prisma.attention.findMany({
      where: { businessKey: `erasure/${waits}` },
    });
    expect(attention).toMatchObject([{ code: 'privacy-erasure-waits' }]);
    const given = await begin({ email: order.email, discardDead: true });
    await leaseEnds();
    await workUntil(given, 'done');
    await leaseEnds();
    await workUntil(waits, 'done');
    const [ended] = await service.database.prisma.attention.findMany({
      where: { businessKey: `erasure/${waits}` },
    });
    expect(ended?.resolvedAt).not.toBeNull();
    expect(await placesOf(service.database, [order.email, order.name])).toEqual([]);
  });

  it("a shop's request erases the customer with its own webhook, once, and says that the shop asked", async () => {
    const order = await buy(person());
    const redact = JSON.stringify({
      ...{ shop_id: 1, shop_domain: 'minhaloja.myshopify.com', orders_to_redact: [order.id] },
      customer: { id: order.id + 7, email: order.email, phone: null },
    });
    const delivery = await hook('customers/redact', redact);
    const { items } = (await service.admin('privacy/erasures')) as { items: Erasure[] };
    expect(items[0]).toMatchObject({ requestedBy: 'source/shopify', delivery });
    await workUntil(items[0]?.id ?? '', 'done');
    expect(await left(order)).toEqual([]);
    const replay = await service.operate('post', `deliveries/${delivery}/replay`, { dryRun: false });
    expect(replay.status).toBe(410);
    const audit = (await service.admin('audit?action=privacy.erase')) as { items: { actor: string }[] };
    expect(audit.items[0]?.actor).toBe('source/shopify');
  });

  it("Nuvemshop's request erases by the document, also what other shops said of the same person", async () => {
    const order = await buy(person());
    const secret = 'nuvemshop-app-secret';
    const made = await service.operate('post', 'sources', {
      ...{ slug: 'loja', provider: 'nuvemshop', secrets: [secret], settings: { storeId: '2264107' } },
    });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    const body = JSON.stringify({
      ...{ store_id: 2_264_107, orders_to_redact: [] },
      customer: { id: 7, email: order.email, phone: null, identification: order.document.replace(/\D/g, '') },
    });
    const send = (signature: string) =>
      service.http
        .post('/hooks/main/loja')
        .set({ 'content-type': 'application/json', [SIGNATURE_HEADER]: signature })
        .send(body);
    expect((await send(signatureOf('another secret', body))).status).toBe(401);
    expect((await send(signatureOf(secret, body))).status).toBe(200);
    const { prisma } = service.database;
    await until(async () => (await prisma.erasure.count({ where: { requestedBy: 'source/loja' } })) === 1);
    const { id } = await prisma.erasure.findFirstOrThrow({ where: { requestedBy: 'source/loja' } });
    await workUntil(id, 'done');
    expect(await left(order)).toEqual([]);
  });

  it("a shop's request waits for a person where the source says so, who erases with the webhook", async () => {
    const { settings } = (await service.admin('sources/shopify')) as { settings: object };
    const set = async (values: object) =>
      expect((await service.operate('patch', 'sources/shopify', { settings: values })).status).toBe(200);
    await set({ ...settings, eraseByWebhook: false });
    const order = await buy(person());
    const customer = { id: order.id + 7, email: order.email, phone: null };
    const body = { shop_id: 1, shop_domain: 'minhaloja.myshopify.com', orders_to_redact: [], customer };
    const delivery = await hook('customers/redact', JSON.stringify(body));
    await set(settings);
    const { prisma } = service.database;
    expect(await prisma.erasure.count({ where: { deliveryId: delivery } })).toBe(0);
    const item = await prisma.attention.findFirstOrThrow({ where: { deliveryId: delivery } });
    expect(item.code).toBe('privacy-erase-asked');
    await workUntil(await begin({ delivery }), 'done');
    expect(await left(order)).toEqual([]);
  });

  it('a request for a copy, and one for the whole shop, go to a person, who needs no more than the webhook', async () => {
    const order = await buy(person());
    const delivery = await hook(
      'customers/data_request',
      JSON.stringify({
        ...{ shop_id: 1, orders_requested: [order.id], data_request: { id: 5 } },
        customer: { id: order.id + 7, email: order.email },
      }),
    );
    await hook('shop/redact', JSON.stringify({ shop_id: 1, shop_domain: 'minhaloja.myshopify.com' }));
    const { items } = (await service.admin('attention')) as {
      items: { code: string; delivery: string; detail: string }[];
    };
    expect(items.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['privacy-export-asked', 'privacy-shop-erase-asked']),
    );
    expect(JSON.stringify(items)).not.toContain(order.email);
    const copy = await service.operate('post', 'privacy/export', { delivery, reason: 'the shop asks' });
    expect([copy.status, copy.text]).toEqual([200, expect.stringContaining(order.name.split(' ')[0] ?? '')]);
    expect((await service.database.prisma.erasure.findMany({ where: { deliveryId: delivery } })).length).toBe(
      0,
    );
  });

  it('an e-mail address of several people with documents names nobody', async () => {
    const first = await buy(person());
    const second = await buy({ ...person(), email: first.email });
    const { prisma } = service.database;
    const elsewhere = await service.http
      .post('/admin/organizations')
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .send({ slug: 'elsewhere', name: 'Elsewhere', timeZone: 'America/Sao_Paulo', currency: 'BRL' });
    expect([elsewhere.status, elsewhere.text]).toEqual([201, expect.any(String)]);
    const theirs = await prisma.stakeholder.create({
      data: {
        ...{ id: newId(), organizationId: (elsewhere.body as { id: string }).id, kind: 'customer' },
        ...{ name: first.name, email: first.email, document: first.document, documentType: 'Cpf' },
      },
    });
    const reply = await service.operate('post', 'privacy/erase', { email: first.email, reason: 'asked' });
    expect([reply.status, (reply.body as { detail: string }).detail]).toEqual([
      409,
      'What was given belongs to 2 people with different documents: ask for each by their document',
    ]);
    const id = await begin({ document: first.document });
    await workUntil(id, 'done');
    expect(await placesOf(service.database, [first.document, first.name])).toEqual([
      'stakeholder.document',
      'stakeholder.name',
    ]);
    // Somebody else with the same address, and another organization's customer, are as they were.
    const sold = { businessKey: `shopify/order/${second.id}` };
    const { id: delivery } = await prisma.delivery.findFirstOrThrow({ where: sold });
    expect(await prisma.deliveryBody.count({ where: { id: delivery } })).toBe(1);
    expect(await prisma.stakeholder.findUniqueOrThrow({ where: { id: theirs.id } })).toEqual(theirs);
    const where = { document: second.document };
    expect(await prisma.stakeholder.findFirstOrThrow({ where })).toMatchObject({
      email: first.email,
      name: second.name,
    });
  });

  it.each([
    ['nobody', { reason: 'asked' }, 422],
    ['two people', { document: '52998224725', email: 'a@example.com', reason: 'asked' }, 422],
    ['no reason', { document: '52998224725' }, 422],
    ['no address', { email: 'somebody', reason: 'asked' }, 422],
    ['more than there is', { document: '52998224725', reason: 'asked', everything: true }, 422],
    [
      'a webhook that there is not',
      { delivery: '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61', reason: 'asked' },
      404,
    ],
  ])('a request that names %s is refused', async (_, body, status) => {
    expect((await service.operate('post', 'privacy/erase', body)).status).toBe(status);
    expect((await service.operate('post', 'privacy/export', body)).status).toBe(status);
  });

  it('a key that may not administer is refused', async () => {
    const { text } = await service.operate('post', 'keys', {
      name: 'till',
      scopes: ['finance:read', 'finance:write'],
    });
    const { key } = JSON.parse(text) as { key: string };
    const reply = await service.http
      .post('/admin/organizations/main/privacy/export')
      .set('authorization', `Bearer ${key}`)
      .send({ document: '52998224725', reason: 'asked' });
    expect([401, 403]).toContain(reply.status);
  });

  it('the books refuse every change but that of texts, and that without an erasure', async () => {
    await buy(person());
    const { prisma } = service.database;
    const { id: running } = await prisma.erasure.create({
      data: {
        ...{ id: '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f99', step: 'find', state: 'running', discardDead: false },
        ...{ organizationId: (await prisma.organization.findFirstOrThrow()).id, digest: new Uint8Array(1) },
        ...{ requestedBy: 'a test', requestedAt: new Date(), dueAt: new Date('2099-01-01') },
      },
    });
    const change = (erasure: string, set: string) =>
      service.database.transaction(async (tx) => {
        await tx.$executeRaw`select set_config('ponte.erasure', ${erasure}, true)`;
        return tx.$executeRaw`update entry set ${Prisma.raw(set)} where id = (select id from entry limit 1)`;
      });
    expect(await change(running, `description = 'x', reference = 'y', identifier = 'z'`)).toBe(1);
    for (const set of [
      ...[
        'amount_minor = amount_minor + 1',
        "date = '2020-01-01'",
        'debit_id = credit_id',
        'stakeholder_id = null',
      ],
      ...["kind = 'transfer'", 'is_flagged = not is_flagged', 'created_at = now()', 'category_id = id'],
    ])
      await expect(change(running, set)).rejects.toThrow('append-only');
    for (const erasure of ['', 'nothing', '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f00'])
      await expect(change(erasure, "description = 'x'")).rejects.toThrow('append-only');
    const remove = service.database.transaction(async (tx) => {
      await tx.$executeRaw`select set_config('ponte.erasure', ${running}, true)`;
      return tx.$executeRaw`delete from entry`;
    });
    await expect(remove).rejects.toThrow('append-only');
    await prisma.erasure.update({ where: { id: running }, data: { state: 'done' } });
    await expect(change(running, "description = 'x'")).rejects.toThrow('append-only');
  });

  it('nothing about a person was logged or measured', async () => {
    const metrics = (await service.http.get('/metrics')).text;
    const everything = lines.join('') + metrics;
    expect(everything).toContain('an erasure is done');
    for (const text of ['Quiteria', 'Damasceno', 'quiteria', cpfNumber(77_001)])
      expect(everything).not.toContain(text);
  });
});
