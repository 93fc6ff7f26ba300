import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { SourceDirectory } from '../../../src/deliveries/source-directory';
import { OperatorsClient } from '../../support/operators-client';
import { ProviderApiServer } from '../../support/provider-api-server';
import { TestService } from '../../support/service';

const MADE = 'whsec_made_by_stripe';
const KEY = 'sk_test_of_the_tests';

interface View {
  reason: string | null;
  plan: string;
  hooks: { state: string }[];
  steps: { outcome: string; reason: string | null }[];
}

let service: TestService;
let api: ProviderApiServer;
let client: OperatorsClient;
let endpoints: Record<string, unknown>[] = [];
/** What is answered by the keys of requests, as Stripe does. */
const answered = new Map<string, object>();
/** How many answers to creations get lost from now on. */
let lost = 0;

async function stripe(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(await text(request));
  const reply = (body: object): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (request.method === 'GET') return reply({ object: 'list', has_more: false, data: endpoints });
  const key = String(request.headers['idempotency-key']);
  const before = answered.get(key);
  const made = before ?? {
    id: `we_${endpoints.length + 1}`,
    url: form.get('url'),
    enabled_events: form.getAll('enabled_events[]'),
    status: 'enabled',
  };
  if (!before) endpoints.push({ ...made });
  answered.set(key, made);
  if (lost > 0) {
    lost -= 1;
    return void response.destroy();
  }
  reply({ ...made, secret: MADE });
}

beforeAll(async () => {
  service = await TestService.start(undefined, {
    PUBLIC_URL: 'https://ponte.example',
    PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  api = await ProviderApiServer.start((request, response) => void stripe(request, response));
});
afterAll(async () => {
  await service.stop();
  await api.stop();
});
beforeEach(async () => {
  endpoints = [];
  lost = 0;
  client = await OperatorsClient.of(service);
  await client.make('/sources', {
    ...{ slug: 'gateway', provider: 'stripe' },
    settings: { apiUrl: api.url, withoutSales: true },
  });
  await client.send('put', '/sources/gateway/credentials', { credentials: { secretKey: KEY } });
});

async function repaired(): Promise<View> {
  const { plan } = (await client.send('get', '/sources/gateway/hooks')).body as View;
  const reply = await client.send('post', '/sources/gateway/hooks/repair', { dryRun: false, plan });
  expect([reply.status, reply.text]).toEqual([200, expect.not.stringContaining(MADE)]);
  return reply.body as View;
}

const secrets = (): readonly string[] | undefined =>
  service.part(SourceDirectory).find(client.slug, 'gateway')?.secrets;

it('the secret that Stripe makes with an endpoint is a secret of the source, and shown to nobody', async () => {
  const { steps, hooks } = await repaired();
  expect([steps, hooks]).toEqual([
    [expect.objectContaining({ outcome: 'done', reason: null })],
    [expect.objectContaining({ state: 'fine' })],
  ]);
  expect(secrets()).toEqual([MADE]);
  expect(JSON.stringify(await client.items('/audit'))).not.toContain(MADE);
  expect(endpoints[0]?.['enabled_events']).not.toContain('charge.succeeded');
});

it('an answer that gets lost is asked for again, and one endpoint is made', async () => {
  lost = 1;
  const { steps } = await repaired();
  expect([steps[0]?.outcome, endpoints.length, secrets()]).toEqual(['done', 1, [MADE]]);
});

it('a secret that got lost for good is said to be missing, and no second endpoint is made', async () => {
  lost = 2;
  const { steps, hooks } = await repaired();
  expect([steps[0]?.outcome, steps[0]?.reason]).toEqual(['done', expect.stringContaining('signing secret')]);
  expect([hooks[0]?.state, secrets()]).toEqual(['secret-unknown', []]);
  expect([(await repaired()).steps, endpoints.length]).toEqual([[], 1]);
  await client.send('post', '/sources/gateway/secrets', { secret: MADE });
  expect((await repaired()).hooks[0]?.state).toBe('fine');
});

it('nothing is made while nobody has said for which events, or where there is no place for a secret', async () => {
  await client.send('patch', '/sources/gateway', { settings: { apiUrl: api.url } });
  const view = (await client.send('get', '/sources/gateway/hooks')).body as View;
  expect(view.reason).toContain('endpointEvents');
  await client.send('patch', '/sources/gateway', { settings: { apiUrl: api.url, endpointEvents: 'all' } });
  for (const secret of ['a', 'b', 'c', 'd', 'e'])
    await client.send('post', '/sources/gateway/secrets', { secret: `whsec_${secret}` });
  const { plan } = (await client.send('get', '/sources/gateway/hooks')).body as View;
  const reply = await client.send('post', '/sources/gateway/hooks/repair', { dryRun: false, plan });
  expect([reply.status, endpoints]).toEqual([409, []]);
});
