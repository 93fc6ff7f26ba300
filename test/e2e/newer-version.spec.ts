import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { Catalog } from '../../src/deliveries/catalog';
import { SourcesRepository } from '../../src/deliveries/sources.repository';
import { RulesRepository } from '../../src/rules/rules.repository';
import { arrive } from '../support/arrivals';
import { cpfNumber } from '../support/documents';
import { TestService } from '../support/service';
import { until } from '../support/until';

/** As a newer version would have put it: an action that this one does not have. */
const OF_A_NEWER_VERSION = JSON.stringify({
  rule: 'of-a-newer-version',
  when: { event: 'order.created' },
  then: [{ id: 'invoice', do: 'invoice.issue', with: {} }],
});

describe('what a newer version of Ponte put into the database', () => {
  let service: TestService;
  let organizationId: string;

  beforeAll(async () => {
    service = await TestService.start();
    const { prisma } = service.database;
    ({ id: organizationId } = await prisma.organization.findFirstOrThrow({ where: { slug: 'main' } }));
  });

  afterAll(() => service.stop());

  async function changed(work: (tx: Parameters<Catalog['changed']>[0]) => Promise<unknown>): Promise<void> {
    const catalog = service.part(Catalog);
    await service.database.transaction(async (tx) => {
      await catalog.changed(tx);
      await work(tx);
    });
    await catalog.refresh();
  }

  function row(id: string | undefined) {
    return service.database.prisma.delivery.findUniqueOrThrow({ where: { id: id ?? '' } });
  }

  async function send(id: number): Promise<string> {
    const about = { id, number: 7, total: '30.00', name: 'Ivo Prado', email: 'ivo@example.com' };
    const body = shopifyOrder({ ...about, document: cpfNumber(id % 100_000), instalments: 1 }, true);
    const reply = await service.hook({ source: 'shopify', topic: 'orders/paid', body });
    expect(reply.status).toBe(200);
    return (reply.body as { delivery: string }).delivery;
  }

  async function health(): Promise<unknown> {
    return (await service.http.get('/health/ready').expect(200)).body as unknown;
  }

  it('a source of an unknown provider is left to others, and the work goes on', async () => {
    await changed((tx) =>
      service
        .part(SourcesRepository)
        .put(
          tx,
          { organizationId, slug: 'new', provider: 'provider-of-tomorrow', settings: {}, paused: false },
          () => null,
        ),
    );
    const { prisma } = service.database;
    const source = await prisma.source.findFirstOrThrow({ where: { slug: 'new' } });
    const fields = { organizationId, sourceId: source.id, receivedAt: new Date() };
    const [left] = await arrive(service.database, ['lane'], fields);
    const own = await send(4_700_000_000_001);
    await until(async () => (await row(own)).state === 'done');
    expect(await row(left)).toMatchObject({ state: 'waiting', attempts: 0, interrupted: 0 });
    const webhook = await service.http.post('/hooks/main/new').send('{}');
    expect([webhook.status, Number(webhook.headers['retry-after']) > 0]).toEqual([503, true]);
    // Nobody who cannot sign learns which address is that of a source, known here or not.
    for (const headers of [{}, { 'x-shopify-hmac-sha256': 'bWFkZSB1cA==' }])
      for (const source of ['new', 'shopify', 'nobody'])
        for (const body of ['{}', `{"id":"${'1'.repeat(100)}"}`]) {
          const reply = await service.http.post(`/hooks/main/${source}`).set(headers).send(body);
          const { instance: _, ...document } = reply.body as Record<string, unknown>;
          expect([reply.status, document]).toEqual([
            503,
            { ...(webhook.body as object), instance: undefined },
          ]);
        }
    expect(await health()).toMatchObject({ status: 'degraded', reasons: [{ source: 'version' }] });
    await changed((tx) => tx.delivery.deleteMany({ where: { id: left } }));
    await changed((tx) => tx.source.delete({ where: { id: source.id } }));
    expect(await health()).toEqual({ status: 'ok' });
  });

  it("a rule that it cannot read leaves the organization's deliveries to others, until it can", async () => {
    const rules = service.part(RulesRepository);
    await changed((tx) => rules.put(tx, organizationId, 'of-a-newer-version', OF_A_NEWER_VERSION));
    const left = await send(4_700_000_000_002);
    const elsewhere = await arrive(service.database, ['another lane'], { receivedAt: new Date() });
    await until(async () => (await row(elsewhere[0])).state !== 'waiting');
    expect(await health()).toMatchObject({ status: 'degraded', reasons: [{ source: 'version' }] });
    expect(await row(left)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await service.database.prisma.run.count({ where: { deliveryId: left } })).toBe(0);
    await changed((tx) => tx.ruleVersion.deleteMany({ where: { name: 'of-a-newer-version' } }));
    await changed((tx) => tx.rule.deleteMany({ where: { name: 'of-a-newer-version' } }));
    await until(async () => (await row(left)).state === 'done');
  });
});
