import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openTestDatabase, testSettings } from '../../test/support/database';
import { SettableClock } from '../../test/support/settable-clock';
import type { Database } from '../database/database';
import type { EffectRequest, EffectResult } from '../finance/api/effects/effect';
import { newId } from '../kernel/identifier';
import { verifyStandardWebhook } from '../sources/standard-webhooks/verify';
import { NotificationEndpoints } from './endpoints.repository';
import { Notifications } from './notifications';

const NOW = '2026-03-10T15:00:00Z';
const [FIRST, SECOND] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [
  string,
  string,
];
const THREE_DAYS_MS = 3 * 86_400_000;

interface Received {
  headers: IncomingMessage['headers'];
  body: string;
}

/** Gives up soon after it has sent, so that a receiver that never answers is no matter of patience. */
class Impatient extends Notifications {
  protected override readonly timeouts = { connectMs: 20_000, headersMs: 200, totalMs: 20_000 };
}

describe('sending a message', () => {
  let database: Database;
  let server: Server;
  let url: string;
  let organization: EffectRequest['organization'];
  let answer: (response: ServerResponse) => void;
  const received: Received[] = [];
  const clock = new SettableClock(NOW);
  const settings = testSettings({ NOTIFICATION_ALLOWED_NETWORKS: '127.0.0.0/8' });
  const opened: Notifications[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    server = createServer((request, response) => void take(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const id = newId();
    organization = { id, slug: `o-${id}`, name: 'One', timeZone: 'America/Sao_Paulo', currency: 'BRL' };
    await database.prisma.organization.create({ data: organization });
  });
  afterAll(async () => {
    for (const sender of opened) await sender.beforeApplicationShutdown();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await database.close();
  });
  beforeEach(() => {
    received.length = 0;
    answer = (response) => void response.writeHead(204).end();
  });

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    answer(response);
  }

  async function endpoint(address = url, secrets = [FIRST]): Promise<string> {
    const name = `e-${newId()}`;
    const endpoints = new NotificationEndpoints(database, settings);
    await database.transaction((tx) =>
      endpoints.create(tx, organization.id, { name, url: address, secrets }, clock.now()),
    );
    return name;
  }

  function send(
    name: string,
    { attempts = 0, key = newId(), own = settings, type = Notifications } = {},
  ): Promise<EffectResult> {
    const sender = new type(new NotificationEndpoints(database, own), clock, clock, own);
    opened.push(sender);
    const input = { endpoint: name, type: 'order.booked', data: { order: 'shop/order/1', value: '10.00' } };
    const effect = { key, operation: 'http.notify', input } as const;
    const request = { organization, effect, runId: newId(), step: 'tell' };
    return sender.apply(request, { attempts, askedAt: clock.now() });
  }

  it('signs it as Standard Webhooks says', async () => {
    expect(await send(await endpoint())).toEqual({ state: 'applied', output: {}, attention: [] });
    const [message] = received;
    expect(JSON.parse(message?.body ?? '')).toEqual({
      type: 'order.booked',
      timestamp: '2026-03-10T15:00:00.000Z',
      data: { order: 'shop/order/1', value: '10.00' },
    });
    const request = {
      headers: message?.headers as Record<string, string>,
      rawBody: Buffer.from(message?.body ?? ''),
      ...{ method: 'POST', query: {} },
    };
    expect(verifyStandardWebhook(request, [FIRST], {}, clock.now())).toEqual({ ok: true });
    expect(verifyStandardWebhook(request, [SECOND], {}, clock.now()).ok).toBe(false);
  });

  it('signs it with both secrets while one is replaced', async () => {
    await send(await endpoint(url, [SECOND, FIRST]));
    const [message] = received;
    const request = {
      headers: message?.headers as Record<string, string>,
      rawBody: Buffer.from(message?.body ?? ''),
      ...{ method: 'POST', query: {} },
    };
    for (const secret of [FIRST, SECOND])
      expect(verifyStandardWebhook(request, [secret], {}, clock.now())).toEqual({ ok: true });
  });

  it('gives a repetition the same id, and other keys other ids', async () => {
    const name = await endpoint();
    await send(name, { key: 'a' });
    await send(name, { key: 'a', attempts: 1 });
    await send(name, { key: 'b' });
    const ids = received.map(({ headers }) => headers['webhook-id']);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it.each([
    ['500', (response: ServerResponse) => void response.writeHead(500).end('broken'), 'status 500'],
    ['404', (response: ServerResponse) => void response.writeHead(404).end(), 'status 404'],
    [
      'a redirect',
      (response: ServerResponse) => void response.writeHead(302, { location: '/elsewhere' }).end(),
      'redirect',
    ],
    ['a broken connection', (response: ServerResponse) => void response.destroy(), 'no answer came'],
  ])('is tried again after %s', async (_what, how, reason) => {
    answer = how;
    const result = await send(await endpoint());
    expect(result).toMatchObject({ state: 'pending', reason: expect.stringContaining(reason) as string });
    expect(received).toHaveLength(1);
  });

  it('is tried again where no answer comes', async () => {
    answer = () => undefined;
    const result = await send(await endpoint(), { type: Impatient });
    expect(result).toMatchObject({
      state: 'pending',
      reason: expect.stringContaining('no answer came') as string,
    });
  });

  it('waits for as long as the receiver asks', async () => {
    answer = (response) => void response.writeHead(429, { 'retry-after': '600' }).end();
    const result = await send(await endpoint());
    if (result.state !== 'pending') throw new Error(result.state);
    expect(result.until.getTime() - clock.now().getTime()).toBeGreaterThanOrEqual(600_000);
  });

  it('takes a long reply for what its status says, and reads no more of it than it must', async () => {
    answer = (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(1024 * 1024);
      for (let sent = 0; sent < 12; sent += 1) response.write(chunk);
      response.end();
    };
    expect(await send(await endpoint())).toMatchObject({ state: 'applied' });
  });

  it('is tried for three days and then left to a person', async () => {
    answer = (response) => void response.writeHead(503).end();
    const name = await endpoint();
    let passed = 0;
    let attempts = 0;
    let result = await send(name);
    for (; result.state === 'pending'; result = await send(name, { attempts })) {
      passed += result.until.getTime() - clock.now().getTime();
      attempts += 1;
    }
    expect(result).toMatchObject({ state: 'refused' });
    expect(passed).toBeGreaterThanOrEqual(THREE_DAYS_MS);
    expect(passed).toBeLessThan(THREE_DAYS_MS * 1.2);
  });

  it('is left to a person at once where the receiver wants no more, or there is no such address', async () => {
    answer = (response) => void response.writeHead(410).end();
    expect(await send(await endpoint())).toMatchObject({ state: 'refused' });
    expect(await send('nobody')).toMatchObject({
      state: 'refused',
      reason: 'there is no notification endpoint "nobody": list one with that name',
    });
  });

  it('makes no connection into a network that is not allowed', async () => {
    const closed = testSettings({});
    const result = await send(await endpoint(), { own: closed });
    expect(result).toMatchObject({
      state: 'pending',
      reason: expect.stringContaining('NOTIFICATION_ALLOWED_NETWORKS') as string,
    });
    expect(received).toEqual([]);
  });

  it('is tried again where nobody listens', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const result = await send(await endpoint(`http://127.0.0.1:${port}/`));
    expect(result).toMatchObject({
      state: 'pending',
      reason: expect.stringContaining('no connection was made') as string,
    });
  });
});
