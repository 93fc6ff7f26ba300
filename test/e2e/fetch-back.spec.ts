import type { ServerResponse } from 'node:http';
import { OrderHarness } from '../support/order-harness';
import { type Behaviour, ProviderApiServer } from '../support/provider-api-server';
import { OPERATORS_KEY } from '../support/service';
import { paidOrderMessage as order } from '../support/thin-orders';
import { thin } from '../support/thin-provider';
import { until } from '../support/until';

const LOCAL = { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' };
const SECRET = 'the secret at the end of the address';
const TOKEN = 'token-of-the-shop';

function json(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

const healthy: Behaviour = ({ url = '', headers }, response) => {
  if (headers.authorization !== `Bearer ${TOKEN}`) return json(response, 401, {});
  json(response, 200, order(url.split('/').at(-1) ?? ''));
};

interface Reply {
  delivery: string;
  duplicate: boolean;
}

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded(LOCAL, [thin])],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true }, LOCAL, [thin])],
])('what a webhook only names, %s', (_where, open) => {
  let harness: OrderHarness;
  let api: ProviderApiServer;
  let numbers = 0;

  beforeAll(async () => {
    harness = await open();
    api = await ProviderApiServer.start(healthy);
    const made = await harness.service.operate('post', 'sources', {
      ...{ slug: 'thin', provider: 'thin', secrets: [SECRET], settings: { apiUrl: api.url } },
    });
    expect([made.status, made.text]).toEqual([201, expect.stringContaining('/hooks/main/thin/{secret}')]);
    await credentials({ accessToken: TOKEN });
  });
  afterAll(async () => {
    await harness.stop();
    await api.stop();
  });

  beforeEach(() => {
    api.asked.length = 0;
    api.behave(healthy);
    numbers += 1;
  });

  async function credentials(given: object): Promise<void> {
    const reply = await harness.service.operate('put', 'sources/thin/credentials', { credentials: given });
    expect([reply.status, reply.text.includes(TOKEN)]).toEqual([200, false]);
    expect((reply.body as { credentials: string[] }).credentials).toEqual(Object.keys(given));
  }

  async function notify(body: object = { type: 'order', id: String(numbers) }): Promise<Reply> {
    const reply = await harness.service.http
      .post(`/hooks/main/thin/${encodeURIComponent(SECRET)}`)
      .set('content-type', 'application/json')
      .send(JSON.stringify(body));
    expect(reply.status).toBe(202);
    return reply.body as Reply;
  }

  async function shown(id: string): Promise<{ state: string; reason: string | null; eventTypes: string[] }> {
    return (await harness.service.admin(`deliveries/${id}`)) as never;
  }

  const receipts = (number = numbers): Promise<number> =>
    harness.service.database.prisma.effect.count({
      where: { key: { startsWith: `receipt/thin/order/${number}/` }, state: 'applied' },
    });

  it('is fetched with the credentials and booked, and asked for once whatever is worked on again', async () => {
    const { delivery, duplicate } = await notify();
    expect(duplicate).toBe(false);
    await harness.settled();
    expect(await shown(delivery)).toMatchObject({ state: 'done', eventTypes: ['order.paid'] });
    expect(await receipts()).toBe(1);
    const again = await harness.service.operate('post', `deliveries/${delivery}/replay`, {
      dryRun: false,
      reason: 'again',
    });
    expect([again.status, again.text]).toEqual([200, expect.any(String)]);
    await harness.settled();
    expect(api.asked).toEqual([`GET /orders/${numbers}`]);
    expect(await receipts()).toBe(1);
  });

  it('is shown with what was fetched, without what is about a person unless an operator insists', async () => {
    const { delivery } = await notify();
    await harness.settled();
    const asked = await harness.service.admin(`deliveries/${delivery}`);
    expect(asked).toMatchObject({
      fetched: [{ name: 'order', status: 200, contentType: 'application/json', redacted: true }],
    });
    expect(JSON.stringify(asked)).toContain('100.00');
    expect(JSON.stringify(asked)).not.toContain('Lia Campos');
    const whole = await harness.service.admin(`deliveries/${delivery}?body=raw&reason=look`);
    expect(whole).toMatchObject({
      fetched: [{ redacted: false, text: JSON.stringify(order(String(numbers))), base64: null }],
    });
  });

  it('moves to the lane of what it turns out to be about', async () => {
    const { delivery } = await notify();
    await harness.settled();
    const { lane, dedupeKey } = await harness.service.database.prisma.delivery.findUniqueOrThrow({
      where: { id: delivery },
    });
    expect(lane).toMatch(new RegExp(`/order/${numbers}$`));
    expect(dedupeKey).toBe(`order/${numbers}/${delivery}`);
  });

  it('is merged with the same notification until it is being fetched, and never for ever', async () => {
    let busy = true;
    api.behave((request, response) => {
      if (busy) json(response, 429, {}, { 'retry-after': '1' });
      else healthy(request, response);
    });
    await notify({ type: 'order', id: `${numbers}0001` });
    await until(() => api.asked.length > 0);
    await until(async () => (await harness.lastDelivery()).reason !== null);
    const first = await notify();
    expect(await notify()).toEqual({ delivery: first.delivery, duplicate: true });
    busy = false;
    await harness.settled();
    const later = await notify();
    expect(later).toEqual({
      delivery: expect.not.stringMatching(first.delivery) as string,
      duplicate: false,
    });
    await harness.settled();
    expect(api.asked.filter((line) => line === `GET /orders/${numbers}`)).toHaveLength(2);
    expect(await receipts()).toBe(1);
  });

  it('is asked for again when the API is down, silent or cut off', async () => {
    const faults: Behaviour[] = [
      (_request, response) => json(response, 500, {}),
      (request) => request.socket.destroy(),
      (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"type":');
        setTimeout(() => response.destroy(), 10);
      },
    ];
    api.behave((request, response) => (faults.shift() ?? healthy)(request, response));
    const { delivery } = await notify();
    await until(async () => {
      await soon(delivery);
      return (await shown(delivery)).state !== 'waiting';
    });
    expect(faults).toEqual([]);
    expect(await shown(delivery)).toMatchObject({ state: 'done', eventTypes: ['order.paid'] });
    expect(await receipts()).toBe(1);
  });

  /** What waits to be asked for again is asked for at once. */
  async function soon(delivery: string): Promise<void> {
    await harness.service.database.prisma.$executeRaw`
      update delivery set ready_at = now() where id = ${delivery}::uuid and state = 'waiting' and lease_id is null`;
    harness.service.wakeWorker();
  }

  it('is a person’s where credentials are missing or refused, and booked once they are right', async () => {
    await credentials({});
    const { delivery } = await notify();
    await harness.settled();
    expect(await shown(delivery)).toMatchObject({
      state: 'dead',
      reason:
        'the source has no credentials (accessToken) to fetch it with: set them, and retry the delivery',
    });
    expect(api.asked).toEqual([]);
    await credentials({ accessToken: 'another' });
    await retry(delivery);
    for (let tries = 1; (await shown(delivery)).state === 'waiting'; tries += 1) {
      expect(tries).toBeLessThan(1_000);
      await soon(delivery);
    }
    expect(await shown(delivery)).toMatchObject({
      state: 'dead',
      reason: 'fetching "order": its API does not take the source\'s credentials (401), 6 times',
    });
    await credentials({ accessToken: TOKEN });
    await retry(delivery);
    await harness.settled();
    expect(await receipts()).toBe(1);
  });

  async function retry(delivery: string): Promise<void> {
    const reply = await harness.service.operate('post', `dead-letters/${delivery}/retry`, { reason: 'set' });
    expect([reply.status, reply.text]).toEqual([204, '']);
  }

  it('is not believed without it, whatever its body says', async () => {
    const { delivery } = await notify({ ...order(String(numbers)), type: 'order.paid', id: '7' });
    await harness.settled();
    expect(await shown(delivery)).toMatchObject({ state: 'dead', eventTypes: [] });
    expect(await receipts()).toBe(0);
  });

  it('is booked once by whoever has the lease, when the one before is still asking', async () => {
    const held: ServerResponse[] = [];
    api.behave((request, response) => (held.length === 0 ? held.push(response) : healthy(request, response)));
    const { delivery } = await notify();
    await until(() => held.length === 1);
    await harness.service.database.prisma.$executeRaw`
      update delivery set ready_at = now() where id = ${delivery}::uuid`;
    harness.service.wakeWorker();
    await harness.settled();
    for (const response of held) json(response, 200, order(String(numbers)));
    expect(await shown(delivery)).toMatchObject({ state: 'done', eventTypes: ['order.paid'] });
    expect(await receipts()).toBe(1);
  });

  it('is not kept where nobody can read it, and fetched anew', async () => {
    const { prisma } = harness.service.database;
    api.behave((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<h1>Back soon</h1>');
    });
    const { delivery } = await notify();
    await until(async () => (await shown(delivery)).reason !== null);
    expect((await shown(delivery)).reason).toMatch(/^what was fetched cannot be read: .*; trying again$/);
    expect((await prisma.deliveryBody.findFirstOrThrow({ where: { id: delivery } })).fetched).toBeNull();
    api.behave(healthy);
    await soon(delivery);
    await harness.settled();
    expect(await receipts()).toBe(1);
  });

  it('holds nothing up in its lane once it is fetched', async () => {
    const held: ServerResponse[] = [];
    api.behave((_request, response) => held.push(response));
    const { delivery: first } = await notify({ type: 'still', id: String(numbers) });
    await until(() => held.length === 1);
    const { delivery: second } = await notify({ type: 'still', id: String(numbers) });
    const late = async (id: string): Promise<boolean> =>
      (await harness.service.database.prisma.delivery.count({
        where: { id, state: 'waiting', leaseId: null, readyAt: { gt: new Date(Date.now() + 20_000) } },
      })) > 0;
    await until(() => late(second));
    api.behave(healthy);
    for (const response of held) json(response, 200, order(String(numbers)));
    await until(async () => (await shown(first)).state === 'done');
    expect(await late(second)).toBe(false);
    await harness.settled();
    expect(await receipts()).toBe(1);
  });

  it('is refused without the secret', async () => {
    for (const path of ['/hooks/main/thin', '/hooks/main/thin/', '/hooks/main/thin/other']) {
      const reply = await harness.service.http.post(path).send({ type: 'order', id: '1' });
      expect([path, reply.status >= 400 && reply.status < 500]).toEqual([path, true]);
    }
  });

  it('takes credentials that the provider knows, all of them, and shows none', async () => {
    for (const given of [
      { token: 'x' },
      { accessToken: '' },
      { accessToken: 7 },
      { accessToken: 'a\u0000b' },
    ]) {
      const reply = await harness.service.operate('put', 'sources/thin/credentials', { credentials: given });
      expect([given, reply.status]).toEqual([given, 422]);
    }
    const log = await harness.service.http
      .get('/admin/organizations/main/audit?action=source.set-credentials')
      .set('authorization', `Bearer ${OPERATORS_KEY}`);
    expect(log.status).toBe(200);
    expect(log.text).toContain('accessToken');
    expect(log.text).not.toContain(TOKEN);
  });
});
