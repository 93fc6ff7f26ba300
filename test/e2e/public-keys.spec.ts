import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type supertest from 'supertest';
import { ProviderApiServer } from '../support/provider-api-server';
import { TestService } from '../support/service';

const CLIENT_ID = 'a-client-id-of-these-tests';

interface Sent {
  /** Of the first and the second signature. */
  signatures: { by: KeyObject; path: string }[];
  recipient?: string;
  source?: string;
  tampered?: boolean;
}

function pair(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function pathOf(name: string): string {
  return `/prod/keys/pub-key-${name}.pem`;
}

describe('webhooks that are verified with public keys of their provider', () => {
  const [adobe, next, stranger] = [pair(), pair(), pair()];
  /** What the host of the keys has; `undefined`: it is down for this one. */
  const published = new Map<string, KeyObject | undefined>();
  let service: TestService;
  let host: ProviderApiServer;
  let events = 0;

  beforeAll(async () => {
    service = await TestService.start(undefined, { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' });
    host = await ProviderApiServer.start(({ url = '', socket }, response) => {
      if (!published.has(url)) return response.writeHead(403).end();
      const key = published.get(url);
      return key ? response.end(key.export({ type: 'spki', format: 'pem' })) : socket.destroy();
    });
    const settings = { apiUrl: host.url, keysUrl: host.url };
    for (const [slug, secrets] of [
      ['loja', [CLIENT_ID]],
      ['flooded', [CLIENT_ID]],
      ['open', []],
    ] as const) {
      const made = await service.operate('post', 'sources', { slug, provider: 'magento', secrets, settings });
      expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    }
  });
  afterAll(async () => {
    await service.stop();
    await host.stop();
  });
  beforeEach(() => {
    host.asked.length = 0;
  });

  function send({ signatures, recipient = CLIENT_ID, source = 'loja', tampered }: Sent): supertest.Test {
    events += 1;
    const body = JSON.stringify({
      ...{ specversion: '1.0', id: `event-${events}`, source: 'urn:uuid:1' },
      type: 'com.adobe.commerce.observer.catalog_product_save_commit_after',
      ...{ recipient_client_id: recipient, data: { value: { sku: 'CAD-01' } } },
    });
    const headers = signatures.flatMap(({ by, path }, index) => [
      [`x-adobe-public-key${index + 1}-path`, path],
      [`x-adobe-digital-signature-${index + 1}`, sign('sha256', Buffer.from(body), by).toString('base64')],
    ]);
    return service.http
      .post(`/hooks/main/${source}`)
      .set({ 'content-type': 'application/cloudevents+json', ...Object.fromEntries(headers) })
      .send(tampered ? body.replace('CAD-01', 'CAD-02') : body);
  }

  const statusOf = async (sent: Sent): Promise<number> => (await send(sent)).status;
  const by = (name: string, { privateKey } = adobe) => ({ by: privateKey, path: pathOf(name) });

  it('are stored, and one request fetches the key for all that come together', async () => {
    published.set(pathOf('together'), adobe.publicKey);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => statusOf({ signatures: [by('together')] })),
    );
    expect(new Set(replies)).toEqual(new Set([200]));
    expect(host.asked).toEqual([`GET ${pathOf('together')}`]);
  });

  it('are refused where they were changed, or signed by somebody else', async () => {
    published.set(pathOf('known'), adobe.publicKey);
    expect(await statusOf({ signatures: [by('known')], tampered: true })).toBe(401);
    expect(await statusOf({ signatures: [by('known', stranger)] })).toBe(401);
    expect(await statusOf({ signatures: [by('known')] })).toBe(200);
  });

  it('are refused where they are for another of Adobe’s customers, and nothing is fetched', async () => {
    published.set(pathOf('of-another'), adobe.publicKey);
    for (const recipient of ['another client id', ''])
      expect(await statusOf({ signatures: [by('of-another')], recipient })).toBe(401);
    expect(await statusOf({ signatures: [by('of-another')], source: 'open' })).toBe(401);
    expect(host.asked).toEqual([]);
  });

  it('are refused where the key is not at the host, or nowhere that keys are', async () => {
    expect(await statusOf({ signatures: [by('made-up', stranger)] })).toBe(401);
    expect(await statusOf({ signatures: [by('made-up', stranger)] })).toBe(401);
    for (const path of [
      '/prod/keys/../x.pem',
      'https://keys.example/prod/keys/pub-key-a.pem',
      '@keys.example/prod/keys/pub-key-a.pem',
      '/prod/keys/pub-key-a.pem?x=1',
      '',
    ])
      expect(await statusOf({ signatures: [{ by: stranger.privateKey, path }] })).toBe(401);
    expect(host.asked).toEqual([`GET ${pathOf('made-up')}`]);
  });

  it('are to be sent again while the host of the keys is down', async () => {
    published.set(pathOf('down'), undefined);
    const { status, headers } = await send({ signatures: [by('down')] });
    expect([status, headers['retry-after']]).toEqual([503, '10']);
    // A stranger who knows whom to name learns no more than that.
    expect(await statusOf({ signatures: [by('down', stranger)] })).toBe(503);
    published.set(pathOf('up-again'), next.publicKey);
    expect(await statusOf({ signatures: [by('down'), by('up-again', next)] })).toBe(200);
  });

  it('are stored while Adobe changes its keys: one right signature is enough', async () => {
    published.set(pathOf('new'), next.publicKey);
    expect(await statusOf({ signatures: [by('taken-away'), by('new', next)] })).toBe(200);
    expect(await statusOf({ signatures: [by('taken-away'), by('new', stranger)] })).toBe(401);
  });

  it('make no more requests than a minute allows, whatever keys strangers name', async () => {
    published.set(pathOf('genuine'), adobe.publicKey);
    const genuine = { signatures: [by('genuine')], source: 'flooded' };
    expect(await statusOf(genuine)).toBe(200);
    const statuses = new Set<number>();
    for (let number = 0; number < 100; number += 1) {
      const made = { signatures: [by(`${number}`, stranger)], source: 'flooded' };
      statuses.add(await statusOf(made));
    }
    expect([...statuses].toSorted()).toEqual([401, 503]);
    // Twenty a minute: the flood may fall into two of them.
    expect(host.asked.length).toBeLessThanOrEqual(41);
    expect(await statusOf(genuine)).toBe(200);
  });
});
