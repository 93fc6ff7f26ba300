import { Inbox } from '../../src/deliveries/inbox';
import { StoreRouting } from '../../src/deliveries/store-routing';
import { AnsweredFailures } from '../../src/deliveries/switch-off/answered-failures';
import { SourceFailuresRepository } from '../../src/deliveries/switch-off/source-failures.repository';
import { SwitchOffCheck } from '../../src/deliveries/switch-off/switch-off-check';
import { BODY_LIMIT } from '../../src/http/body-reception';
import { signedHeaders } from '../../src/sources/registry';
import { ponte } from '../support/command-line';
import { OperatorsClient } from '../support/operators-client';
import { OPERATORS_KEY, TestService } from '../support/service';

const SECRET = 'the secret of the shop';
const METRICS = 'metrics-token-of-the-tests';

let service: TestService;
let client: OperatorsClient;
let numbered = 0;

beforeAll(async () => {
  service = await TestService.start(undefined, { METRICS_TOKEN: METRICS });
});
afterAll(() => service.stop());
afterEach(() => jest.restoreAllMocks());

beforeEach(async () => {
  // What the test before has left is written.
  await service.part(AnsweredFailures).flush();
  client = await OperatorsClient.of(service);
  await client.make('/sources', { slug: 'loja', provider: 'woocommerce', secrets: [SECRET] });
});

interface Sent {
  topic?: string;
  secret?: string;
  body?: Buffer;
}

/** Sends a webhook to the shop. @returns how it was answered */
async function hook({ topic = 'order.updated', secret = SECRET, body }: Sent = {}): Promise<number> {
  const bytes = body ?? Buffer.from(`{"id": ${(numbered += 1)}}`);
  const message = { topic, body: bytes, id: `d-${numbered}`, secret, sentAt: new Date() };
  const reply = await service.http
    .post(`/hooks/${client.slug}/loja`)
    .set(signedHeaders('woocommerce', message))
    .serialize((written) => written as string)
    .send(bytes);
  return reply.status;
}

const forged = (more: Sent = {}): Promise<number> => hook({ secret: 'another secret', ...more });

interface SwitchOff {
  state: string;
  topics: string[];
  failures: number;
  lastFailure: string;
}

async function switchOff(): Promise<SwitchOff | null> {
  await service.part(AnsweredFailures).flush();
  const { body } = await client.send('get', '/sources/loja');
  return (body as { status: { switchOff: SwitchOff | null } }).status.switchOff;
}

async function openItems(): Promise<string[]> {
  await service.part(AnsweredFailures).flush();
  await service.part(SwitchOffCheck).check();
  return (await client.items('/attention')).map(({ code }) => code as string);
}

it('five wrong signatures in a row are warned of from the third on, and end with one that is right', async () => {
  await forged();
  await forged();
  expect(await switchOff()).toBeNull();
  expect(await openItems()).toEqual([]);
  expect(await forged()).toBe(401);
  expect(await switchOff()).toEqual({
    ...{ state: 'near', part: 0.6, topics: ['order.updated'], failures: 3 },
    ...{ afterFailures: 5, afterHours: null },
    since: expect.any(String) as string,
    lastFailedAt: expect.any(String) as string,
    lastFailure: 'its signature was refused (401)',
  });
  expect(await openItems()).toEqual(['source-near-switch-off']);

  await forged();
  await forged();
  expect(await switchOff()).toMatchObject({ state: 'probable', failures: 5 });
  expect(await openItems()).toEqual(['source-switched-off']);
  const [item] = await client.items('/attention');
  expect(item).toMatchObject({ businessKey: 'loja/source' });
  expect(item).not.toHaveProperty('deliveryId');
  expect(item?.['detail']).toContain('ponte sources connect loja');
  const metrics = await service.http.get('/metrics').set('authorization', `Bearer ${METRICS}`);
  expect(metrics.text).toContain(`ponte_source_switch_off{source="${client.slug}/loja"} 1`);

  expect(await hook()).toBe(200);
  expect(await switchOff()).toBeNull();
  expect(await openItems()).toEqual([]);
});

it('a good webhook in between begins the row anew, also one that is a duplicate', async () => {
  const body = Buffer.from(`{"id": ${(numbered += 1)}}`);
  expect(await hook({ body })).toBe(200);
  for (let index = 0; index < 4; index += 1) await forged();
  expect(await hook({ body })).toBe(200);
  await forged();
  await forged();
  expect(await switchOff()).toBeNull();
  await forged();
  expect(await switchOff()).toMatchObject({ state: 'near', failures: 3 });
});

it('a webhook of another topic is another webhook of the shop', async () => {
  for (let index = 0; index < 3; index += 1) {
    await forged({ topic: 'order.created' });
    expect(await hook({ topic: 'order.updated' })).toBe(200);
  }
  expect(await switchOff()).toMatchObject({ state: 'near', topics: ['order.created'] });
});

it('topics that nobody knows are counted together', async () => {
  for (let index = 0; index < 5; index += 1) await forged({ topic: `made.up${index}` });
  expect(await switchOff()).toMatchObject({ state: 'probable', topics: [] });
  expect(
    await service.database.prisma.sourceFailure.count({ where: { topic: { startsWith: 'made' } } }),
  ).toBe(0);
});

it('a pause is warned of like any failure', async () => {
  await client.send('post', '/sources/loja/pause');
  for (let index = 0; index < 3; index += 1) expect(await hook()).toBe(503);
  expect(await switchOff()).toMatchObject({ state: 'near', lastFailure: 'the source is paused (503)' });
  expect(await openItems()).toEqual(['source-near-switch-off']);
  await client.send('post', '/sources/loja/resume');
  expect(await hook()).toBe(200);
  expect(await openItems()).toEqual([]);
});

it('every kind of failure counts', async () => {
  expect(await hook({ body: Buffer.alloc(BODY_LIMIT + 1, 32) })).toBe(413);
  jest.spyOn(service.part(StoreRouting), 'find').mockRejectedValueOnce(new Error('a bug'));
  expect(await hook()).toBe(500);
  jest.spyOn(service.part(Inbox), 'accept').mockRejectedValueOnce(new Error('no database'));
  expect(await hook()).toBe(503);
  jest.spyOn(service.part(Inbox), 'full', 'get').mockReturnValueOnce(true);
  expect(await hook()).toBe(503);
  expect(await switchOff()).toMatchObject({
    ...{ state: 'near', failures: 4, lastFailure: 'it could not be taken then (503)' },
  });
});

it('an answer to a ping, which nobody signs, is no success', async () => {
  for (let index = 0; index < 3; index += 1) await forged();
  await service.http
    .post(`/hooks/${client.slug}/loja`)
    .type('application/x-www-form-urlencoded')
    .send('webhook_id=12')
    .expect(200);
  expect(await switchOff()).toMatchObject({ state: 'near' });
});

it('what fails while the database is away is counted when it is back', async () => {
  const add = jest.spyOn(service.part(SourceFailuresRepository), 'add');
  add.mockRejectedValue(new Error('the database is away'));
  for (let index = 0; index < 3; index += 1) await forged();
  expect(await switchOff()).toBeNull();
  add.mockRestore();
  expect(await switchOff()).toMatchObject({ state: 'near', failures: 3 });
});

it('a webhook that is accepted costs no statement where none failed before it, and one where some did', async () => {
  const rows = service.part(SourceFailuresRepository);
  const settle = jest.spyOn(rows, 'settle');
  const add = jest.spyOn(rows, 'add');
  await hook();
  await hook();
  await service.part(AnsweredFailures).flush();
  expect([settle.mock.calls.length, add.mock.calls.length]).toEqual([0, 0]);
  await forged();
  await service.part(AnsweredFailures).flush();
  await hook();
  await hook();
  await service.part(AnsweredFailures).flush();
  expect([settle.mock.calls.length, add.mock.calls.length]).toEqual([1, 1]);
});

it('a provider that switches nothing off costs nothing either', async () => {
  const add = jest.spyOn(service.part(SourceFailuresRepository), 'add');
  await client.make('/sources', { slug: 'shop', provider: 'shopify', secrets: [SECRET] });
  const body = Buffer.from('{"id": 1}');
  const message = { topic: 'orders/paid', body, id: 'd', secret: 'another secret', sentAt: new Date() };
  await service.http
    .post(`/hooks/${client.slug}/shop`)
    .set(signedHeaders('shopify', message))
    .serialize((written) => written as string)
    .send(body)
    .expect(401);
  await service.part(AnsweredFailures).flush();
  expect(add).not.toHaveBeenCalled();
});

it('the command line shows it', async () => {
  for (let index = 0; index < 3; index += 1) await forged();
  await service.part(AnsweredFailures).flush();
  const env = { PONTE_URL: service.url, PONTE_KEY: OPERATORS_KEY, PONTE_ORG: client.slug };
  const { stdout } = await ponte(['sources', 'show', 'loja', '--json'], { env });
  expect(JSON.parse(stdout)).toMatchObject({ status: { switchOff: { state: 'near' } } });
  expect((await ponte(['sources', 'list'], { env })).stdout).toContain('near');
});
