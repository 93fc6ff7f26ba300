import { ComparisonWorker } from '../../src/deliveries/comparison/comparison-worker';
import { findProvider } from '../../src/sources/registry';
import { OperatorsClient } from '../support/operators-client';
import { ProviderApiServer } from '../support/provider-api-server';
import { TestService } from '../support/service';
import { readFixture } from '../support/source-cases';
import { until } from '../support/until';

const HOUR_MS = 3_600_000;
const SECRET = 'secret of the app';
const STORE = '2264107';
/** A card was authorised and no money came: the notification means nothing, once the order was fetched. */
const AUTHORIZED = { id: 1612004671, ordered: readFixture('nuvemshop', 'fetched/order-authorized.json') };
const TRANSACTIONS = readFixture('nuvemshop', 'fetched/transactions-authorized.json');

let service: TestService;
let client: OperatorsClient;
let api: ProviderApiServer;

beforeAll(async () => {
  service = await TestService.start(undefined, { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' });
  api = await ProviderApiServer.start((_request, response) => response.destroy());
});
beforeEach(async () => {
  await service.database.prisma.source.updateMany({ data: { paused: true } });
  client = await OperatorsClient.of(service);
  const body = {
    ...{ slug: 'loja', provider: 'nuvemshop', secrets: [SECRET] },
    settings: { storeId: STORE, apiUrl: api.url },
  };
  const made = await client.send('post', '/sources', body);
  expect(made.status).toBe(201);
  await client.send('put', '/sources/loja/credentials', { credentials: { accessToken: 'of the tests' } });
  await service.database.prisma.source.updateMany({
    where: { slug: 'loja', paused: false },
    data: { createdAt: new Date(Date.now() - 48 * HOUR_MS) },
  });
  const updated_at = new Date(Date.now() - HOUR_MS).toISOString();
  const row = { id: AUTHORIZED.id, store_id: STORE, payment_status: 'authorized', updated_at };
  api.behave(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    if (url.endsWith('/transactions')) return response.end(TRANSACTIONS);
    if (url.endsWith(`/${AUTHORIZED.id}`)) return response.end(AUTHORIZED.ordered);
    if (url.includes('payment_status=any')) return response.end(JSON.stringify([row]));
    return response.writeHead(404).end();
  });
});
afterAll(async () => {
  await service.stop();
  await api.stop();
});

/** As an hour later. @returns how many were missing */
async function compare(): Promise<number> {
  await service.database.prisma.sourceComparison.updateMany({ data: { dueAt: new Date(0) } });
  await service.part(ComparisonWorker).run();
  const { status } = (await client.send('get', '/sources/loja')).body as {
    status: { missed: number; comparisonFailure: string | null };
  };
  expect(status.comparisonFailure).toBeNull();
  return status.missed;
}

/** All deliveries, once they are done. */
async function done(): Promise<unknown[]> {
  const open = async (): Promise<boolean> =>
    (await client.items('/deliveries')).every(({ state }) => state === 'done');
  await until(open);
  return (await client.items('/deliveries')).map(({ origin, businessKey }) => [origin, businessKey]);
}

describe('a notification that meant nothing', () => {
  it('is none that was missed', async () => {
    const body = JSON.stringify({ store_id: Number(STORE), event: 'order/updated', id: AUTHORIZED.id });
    const message = { secret: SECRET, body, topic: 'order/updated', id: 'd', sentAt: new Date() };
    const reply = await service.http
      .post(`/hooks/${client.slug}/loja`)
      .set({ ...findProvider('nuvemshop')?.sign(message), 'content-type': 'application/json' })
      .send(body);
    expect(reply.status).toBe(200);
    expect(await done()).toEqual([['webhook', `loja/order/${AUTHORIZED.id}`]]);
    expect(await compare()).toBe(0);
    expect(await done()).toHaveLength(1);
  });

  it('that a comparison found is found once', async () => {
    expect(await compare()).toBe(1);
    expect(await done()).toEqual([['comparison', `loja/order/${AUTHORIZED.id}`]]);
    expect(await compare()).toBe(0);
    expect(await done()).toHaveLength(1);
  });
});
