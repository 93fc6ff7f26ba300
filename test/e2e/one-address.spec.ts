import { PROVIDERS } from '../../src/sources/registry';
import { SourceProviders } from '../../src/sources/source-providers';
import { OPERATORS_KEY, TestService } from '../support/service';
import { withTokens } from '../support/token-provider';

const APP_SECRET = 'secret-of-the-application';

describe('one address of an application for many stores', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start(undefined, {}, false, new SourceProviders([...PROVIDERS, withTokens]));
    const made = await operate('', { slug: 'branch', name: 'Branch', chart: 'brazil' });
    expect(made.status).toBe(201);
    await connect('main', 'store-1', '1');
    await connect('main', 'store-2', '2');
    await connect('branch', 'store-3', '3');
    await connect('branch', 'stranger', '4', 'secret-of-another-application');
  });
  afterAll(() => service.stop());

  const operate = (path: string, body: object) =>
    service.http
      .post(`/admin/organizations${path}`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .send(body);

  async function connect(
    organization: string,
    slug: string,
    storeId: string,
    secret = APP_SECRET,
  ): Promise<void> {
    const reply = await operate(`/${organization}/sources`, {
      ...{ slug, provider: 'with-tokens', secrets: [secret], settings: { storeId } },
    });
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  }

  async function notify(store: unknown, to = 'main/store-1', secret = APP_SECRET) {
    return service.http
      .post(`/hooks/${to}/${secret}`)
      .set('content-type', 'application/json')
      .send(JSON.stringify({ type: 'other', id: '1', store }));
  }

  async function sourceOf(delivery: string): Promise<string> {
    const { sourceId } = await service.database.prisma.delivery.findUniqueOrThrow({
      where: { id: delivery },
    });
    return (await service.database.prisma.source.findUniqueOrThrow({ where: { id: sourceId } })).slug;
  }

  it.each([
    ['1', 'main/store-1', 'store-1'],
    ['2', 'main/store-1', 'store-2'],
    ['3', 'main/store-1', 'store-3'],
    ['1', 'branch/store-3', 'store-1'],
    [undefined, 'main/store-2', 'store-2'],
    [7, 'main/store-2', 'store-2'],
  ])('takes what is about store %j at %s to %s', async (store, to, slug) => {
    const reply = await notify(store, to);
    expect(reply.status).toBe(202);
    expect(await sourceOf((reply.body as { delivery: string }).delivery)).toBe(slug);
  });

  it('answers and counts what is about a store that nobody connected, and stores nothing', async () => {
    const before = await service.database.prisma.delivery.count();
    const reply = await notify('999');
    expect([reply.status, reply.text]).toEqual([202, 'store-not-connected']);
    // That source exists, but its own secret is another: whoever sends to us does not send for it.
    expect((await notify('4')).text).toBe('store-not-connected');
    expect(await service.database.prisma.delivery.count()).toBe(before);
    const metrics = await service.http.get('/metrics').set('authorization', `Bearer ${OPERATORS_KEY}`);
    expect(metrics.text).toContain('ponte_webhooks_total{provider="with-tokens",result="store-unknown"} 2');
  });

  it('tells nobody without the secret which stores are connected', async () => {
    for (const store of ['1', '2', '3', '999']) {
      const reply = await notify(store, 'main/store-1', 'wrong');
      expect([store, reply.status]).toEqual([store, 401]);
    }
  });

  it('takes what no other source takes to a source that names no store', async () => {
    const made = await operate('/main/sources', {
      ...{ slug: 'any', provider: 'with-tokens', secrets: [APP_SECRET], settings: {} },
    });
    expect(made.status).toBe(201);
    const others = await notify('999', 'main/any');
    expect(await sourceOf((others.body as { delivery: string }).delivery)).toBe('any');
    const second = await notify('2', 'main/any');
    expect(await sourceOf((second.body as { delivery: string }).delivery)).toBe('store-2');
  });

  it('is not lost where the source of the store is paused: its sender comes again', async () => {
    expect((await operate('/main/sources/store-2/pause', {})).status).toBeLessThan(300);
    const reply = await notify('2');
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, expect.any(String)]);
    expect((await operate('/main/sources/store-2/resume', {})).status).toBeLessThan(300);
  });

  it('answers GET and HEAD where the provider asks so, at both forms of the address', async () => {
    for (const address of ['/hooks/main/store-1', `/hooks/main/store-1/${APP_SECRET}`]) {
      const asked = await service.http.get(address);
      expect([asked.status, asked.text]).toEqual([200, '{"here":true}']);
      const head = await service.http.head(address);
      expect([head.status, head.text ?? '']).toEqual([200, '']);
    }
  });
});
