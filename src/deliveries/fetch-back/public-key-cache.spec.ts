import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { PrometheusMetrics } from '../../ops/prometheus-metrics';
import { type Behaviour, ProviderApiServer } from '../../../test/support/provider-api-server';
import { SettableClock } from '../../../test/support/settable-clock';
import { thin } from '../../../test/support/thin-provider';
import { until } from '../../../test/support/until';
import type { IncomingWebhook } from '../../sources/source';
import { PublicKeyCache } from './public-key-cache';

const BEGIN = '2026-08-10T12:00:00Z';
const PEM = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

const there: Behaviour = (_request, response) => response.end(PEM);
const absent: Behaviour = (_request, response) => response.writeHead(403).end();
const down: Behaviour = (request) => request.socket.destroy();

beforeAll(() => Logger.overrideLogger(false));

describe('the public keys that webhooks name', () => {
  let host: ProviderApiServer;
  let clock: SettableClock;
  let metrics: PrometheusMetrics;
  let cache: PublicKeyCache;

  beforeAll(async () => {
    host = await ProviderApiServer.start(there);
  });
  afterAll(() => host.stop());

  beforeEach(() => {
    host.asked.length = 0;
    host.behave(there);
    clock = new SettableClock(BEGIN);
    open('127.0.0.0/8');
  });
  afterEach(() => close());

  function open(networks: string): void {
    metrics = new PrometheusMetrics();
    cache = new PublicKeyCache(clock, metrics, new Settings({ PROVIDER_ALLOWED_NETWORKS: networks }));
  }

  function close(): void {
    cache.onApplicationShutdown();
    metrics.onModuleDestroy();
  }

  /** A webhook of a source of this id that names these keys. */
  function named(paths: readonly string[], id = 'a source') {
    const publicKeys = { baseUrl: () => host.url, paths: () => paths, ofSigner: () => ({}) };
    const provider = { ...thin, publicKeys };
    const source = { id, slug: 'loja', provider, secrets: [], settings: {}, organization: { slug: 'main' } };
    const webhook: IncomingWebhook = { method: 'POST', headers: {}, query: {}, rawBody: Buffer.alloc(0) };
    return cache.namedBy(source, webhook);
  }

  const found = { keys: { '/a': PEM }, someAway: false };
  const nothing = { keys: {}, someAway: false };
  const away = { keys: {}, someAway: true };

  it('are fetched once for all who wait, and known for half a day', async () => {
    expect(await Promise.all([named(['/a']), named(['/a']), named(['/a', '/a'])])).toEqual([
      found,
      found,
      found,
    ]);
    clock.set('2026-08-10T23:59:59Z');
    expect(await named(['/a'])).toEqual(found);
    expect(host.asked).toEqual(['GET /a']);
    clock.set('2026-08-11T00:00:01Z');
    expect(await named(['/a'])).toEqual(found);
    expect(host.asked).toEqual(['GET /a', 'GET /a']);
  });

  it('are asked for again in a minute where there are none', async () => {
    host.behave(absent);
    expect([await named(['/a']), await named(['/a'])]).toEqual([nothing, nothing]);
    host.behave(there);
    clock.set('2026-08-10T12:00:59Z');
    expect([await named(['/a']), host.asked.length]).toEqual([nothing, 1]);
    clock.set('2026-08-10T12:01:01Z');
    expect([await named(['/a']), host.asked.length]).toEqual([found, 2]);
  });

  it('are asked for again in ten seconds where their host is down', async () => {
    host.behave(down);
    expect([await named(['/a']), await named(['/a'])]).toEqual([away, away]);
    host.behave(there);
    clock.set('2026-08-10T12:00:09Z');
    expect([await named(['/a']), host.asked.length]).toEqual([away, 1]);
    clock.set('2026-08-10T12:00:11Z');
    expect([await named(['/a']), host.asked.length]).toEqual([found, 2]);
  });

  it.each<[string, Behaviour]>([
    ['the page of a proxy', (_request, response) => response.end('<h1>Welcome</h1>')],
    ['too long', (_request, response) => response.end(PEM + ' '.repeat(16 * 1024))],
    ['a redirect', (_request, response) => response.writeHead(302, { location: '/b' }).end()],
    ['an error', (_request, response) => response.writeHead(500).end(PEM)],
  ])('are not there yet where what is there is %s', async (_what, behaviour) => {
    host.behave(behaviour);
    expect(await named(['/a'])).toEqual(away);
    host.behave(there);
    clock.set('2026-08-10T12:00:11Z');
    expect(await named(['/a'])).toEqual(found);
    expect(host.asked).toEqual(['GET /a', 'GET /a']);
  });

  it('are taken of the one host that answers, although another key is away', async () => {
    host.behave((request, response) => (request.url === '/a' ? there : down)(request, response));
    expect(await named(['/a', '/b'])).toEqual({ keys: { '/a': PEM }, someAway: true });
  });

  it('are two at most', async () => {
    await named(['/a', '/b', '/c']);
    expect(host.asked.toSorted()).toEqual(['GET /a', 'GET /b']);
  });

  it('cost twenty requests a minute, whatever a source is sent; another source has its own', async () => {
    host.behave(absent);
    for (let number = 0; number < 30; number += 1) {
      const expected = number < 20 ? nothing : away;
      expect([number, await named([`/made-up-${number}`])]).toEqual([number, expected]);
    }
    expect(host.asked).toHaveLength(20);
    host.behave(there);
    expect(await named(['/a'], 'another source')).toEqual(found);
    expect(await named(['/a'])).toEqual(found);
    expect(await named(['/b'])).toEqual(away);
    clock.set('2026-08-10T12:01:00Z');
    expect(await named(['/b'])).toEqual({ keys: { '/b': PEM }, someAway: false });
  });

  it('are driven out by no number of made-up ones', async () => {
    expect(await named(['/a'])).toEqual(found);
    host.behave(absent);
    for (let number = 0; number < 1_200; number += 1) await named([`/${number}`], `source ${number}`);
    expect(host.asked).toHaveLength(1_201);
    expect(await named(['/a'])).toEqual(found);
    expect(host.asked).toHaveLength(1_201);
  });

  it('are waited for by a hundred, and no more', async () => {
    const held: ServerResponse[] = [];
    host.behave((_request, response) => held.push(response));
    const waiting = Array.from({ length: 100 }, () => named(['/a']));
    await until(() => held.length > 0);
    expect(await named(['/a'])).toEqual(away);
    for (const response of held) response.end(PEM);
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 100 }, () => found));
    expect(await named(['/a'])).toEqual(found);
    expect(host.asked).toEqual(['GET /a']);
  });

  it('are not asked for in a network that is not allowed', async () => {
    close();
    open('');
    expect([await named(['/a']), host.asked]).toEqual([away, []]);
  });
});
