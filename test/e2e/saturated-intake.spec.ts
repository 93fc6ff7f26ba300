import { once } from 'node:events';
import { connect } from 'node:net';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { Inbox } from '../../src/deliveries/inbox';
import { UNMEASURED_IN_FLIGHT } from '../../src/deliveries/admission-limit';
import { signedHeaders } from '../../src/sources/registry';
import { cpfNumber } from '../support/documents';
import { SECRETS, TestService } from '../support/service';
import { until } from '../support/until';

const ORDER = {
  number: 1,
  total: '10.00',
  name: 'Caio Reis',
  document: cpfNumber(778),
  email: 'caio@example.com',
  instalments: 1,
};
/** More than may be in hand. */
const FLOOD = UNMEASURED_IN_FLIGHT + 50;

describe('more webhooks than can be stored', () => {
  let service: TestService;
  let inbox: Inbox;
  let orders = 9_100_000_000_000;

  beforeAll(async () => {
    service = await TestService.start(undefined, { ROLE: 'all' });
    inbox = service.part(Inbox);
  });
  afterAll(() => service.stop());
  afterEach(() => jest.restoreAllMocks());

  async function send(path = 'hooks/main/shopify'): Promise<Response> {
    orders += 1;
    const body = shopifyOrder({ ...ORDER, id: orders }, true);
    const headers = signedHeaders('shopify', {
      topic: 'orders/paid',
      body,
      id: `flood-${orders}`,
      secret: SECRETS.shopify,
      sentAt: new Date(),
    });
    return fetch(`${service.url}/${path}`, { method: 'POST', headers, body: new Uint8Array(body) });
  }

  it('are put off at once while storing does not get on, and none that is acknowledged is lost', async () => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const holding = service.database.transaction(async (tx) => {
      await tx.$executeRaw`lock table delivery in access exclusive mode`;
      await held;
    });
    let putOff = 0;
    const flood = Array.from({ length: FLOOD }, async () => {
      const reply = await send();
      if (reply.status === 503) putOff += 1;
      return reply;
    });
    await until(() => Promise.resolve(inbox.full));
    const late = await Promise.all(Array.from({ length: 20 }, () => send()));
    expect(late.map(({ status }) => status)).toEqual(late.map(() => 503));
    expect(late[0]?.headers.get('retry-after')).toBe('2');
    expect(await late[0]?.json()).toMatchObject({ error: 'saturated' });
    // Connections are not let in in the order in which they came: some of the flood may be later than these.
    await until(() => Promise.resolve(putOff === FLOOD - UNMEASURED_IN_FLIGHT));
    letGo();
    await holding;
    const replies = await Promise.all(flood);
    const acknowledged = replies.filter(({ status }) => status === 200);
    const ids = await Promise.all(
      acknowledged.map(async (reply) => ((await reply.json()) as { delivery: string }).delivery),
    );
    expect(replies.every(({ status }) => status === 200 || status === 503)).toBe(true);
    // On a busy machine some of those in hand wait for longer than a batch may take, and are put off, too.
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThanOrEqual(UNMEASURED_IN_FLIGHT);
    expect(await service.database.prisma.delivery.count({ where: { id: { in: ids } } })).toBe(ids.length);
    expect((await send()).status).toBe(200);
  });

  it('are turned away before their bodies are sent, and counted', async () => {
    jest.spyOn(inbox, 'full', 'get').mockReturnValue(true);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      'POST /hooks/main/shopify HTTP/1.1\r\nHost: test\r\nX-Shopify-Hmac-Sha256: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n',
    );
    const [reply] = (await once(socket.setEncoding('latin1'), 'data')) as [string];
    expect(reply).toMatch(/^HTTP\/1\.1 503 /);
    socket.destroy();
    const metrics = (await service.http.get('/metrics')).text;
    expect(metrics).toMatch(/ponte_webhooks_total\{provider="shopify",result="put-off"\} \d+/);
  });

  it('are all turned away, however few of them in one turn of the event loop', async () => {
    jest.spyOn(inbox, 'full', 'get').mockReturnValue(true);
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    const replies = await Promise.all(Array.from({ length: 20 }, () => send()));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 503));
  });

  it('are put off at an address that receives nothing as at any other, which others are not', async () => {
    jest.spyOn(inbox, 'full', 'get').mockReturnValue(true);
    expect((await send('hooks/main/nobody')).status).toBe(503);
    await service.http.get('/health/ready').expect(200);
  });

  it('are put off before anything is checked when the inbox became full while the body was on its way', async () => {
    jest.spyOn(inbox, 'full', 'get').mockReturnValueOnce(false).mockReturnValue(true);
    const before = await service.database.prisma.delivery.count();
    const reply = await send();
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await service.database.prisma.delivery.count()).toBe(before);
  });

  it('are put off alike at any address when the inbox became full while the body was on its way', async () => {
    const full = jest.spyOn(inbox, 'full', 'get');
    for (const path of ['hooks/main/shopify', 'hooks/main/nobody']) {
      full.mockReturnValueOnce(false).mockReturnValue(true);
      const reply = await send(path);
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await reply.json()).toMatchObject({ error: 'saturated' });
    }
    // Without a signature it is 401 at any address, full or not.
    for (const path of ['/hooks/main/woocommerce', '/hooks/main/nobody'])
      await service.http.post(path).send('{}').expect(401);
  });
});
