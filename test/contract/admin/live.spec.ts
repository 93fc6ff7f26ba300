import { LiveListener } from '../../../src/admin/live/live-listener';
import { LiveReads } from '../../../src/admin/live/live.repository';
import { LiveUpdates } from '../../../src/admin/live/live-updates';
import { Shutdown } from '../../../src/ops/shutdown';
import { OrganizationsRepository } from '../../../src/organizations/organizations.repository';
import { cpfNumber } from '../../support/documents';
import { LiveClient } from '../../support/live-client';
import { OperatorsClient } from '../../support/operators-client';
import { OPERATORS_KEY, TestService } from '../../support/service';
import { until } from '../../support/until';

const nobody = () => Promise.resolve(undefined);

let service: TestService;
let updates: LiveUpdates;
const clients: LiveClient[] = [];
let orders = 0;

beforeAll(async () => {
  service = await TestService.start();
  updates = service.part(LiveUpdates);
  expect(updates).toMatchObject({ checkEveryMs: 1_000 });
  Object.assign(updates, { checkEveryMs: 20 });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await until(() => updates.size === 0);
});
afterAll(() => service.stop());

async function listen(organization = 'main', key = OPERATORS_KEY, accept?: string): Promise<LiveClient> {
  const client = await LiveClient.open(
    `${service.url}/admin/organizations/${organization}/live`,
    key,
    accept,
  );
  clients.push(client);
  return client;
}

/** @returns the delivery's identifier, and the order's business key */
async function order(
  type = 'order.paid',
  id = `live-${(orders += 1)}`,
): Promise<{ id: string; key: string }> {
  const data = {
    ...{ id, total: '10.00', createdAt: '2026-03-10T09:00:00-03:00', instalments: 1 },
    customer: { id: `c${orders}`, name: 'Lia Campos', document: cpfNumber(20_000 + orders) },
    payment: { id: 'p1', gateway: 'pagarme', method: 'pix', paidAt: '2026-03-10T09:00:00-03:00' },
  };
  const body = JSON.stringify({ type, timestamp: '2026-03-10T12:00:00Z', data });
  const reply = await service.hook({ source: 'standard', topic: type, body });
  expect(reply.status).toBe(200);
  return { id: (reply.body as { delivery: string }).delivery, key: `standard/order/${id}` };
}

it('says how things are at once, in a form that no proxy keeps', async () => {
  const client = await listen();
  expect(client.status).toBe(200);
  expect(client.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const state = await client.saw('state');
  const overview = (await service.admin('overview')) as Record<string, unknown>;
  const { date, received, open, lagSeconds } = overview;
  expect(state).toEqual({ date, received, open, lagSeconds, at: expect.any(String) as string });
  expect(client.events[0]?.event).toBe('state');
});

it('tells everybody who listens of a delivery that is stored and worked on, and counts it', async () => {
  const [one, other] = [await listen(), await listen()];
  const { received } = (await one.saw('state')) as { received: { accepted: number; applied: number } };
  const { id, key } = await order();
  for (const client of [one, other]) {
    const told = await client.saw('delivery', { id, state: 'done' });
    expect(told).toEqual({
      ...{ id, source: 'standard', topic: 'order.paid', state: 'done', businessKey: key },
      receivedAt: expect.any(String) as string,
    });
    const counts = { accepted: received.accepted + 1, applied: received.applied + 1 };
    await until(() => client.of('state').some((state) => isLike(state['received'], counts)));
  }
  // Nothing is told twice: what is told next is the next one.
  const next = await order();
  await one.saw('delivery', { id: next.id, state: 'done' });
  const told = one.of('delivery').map((delivery) => `${String(delivery['id'])} ${String(delivery['state'])}`);
  expect(new Set(told).size).toBe(told.length);
});

function isLike(found: unknown, wanted: object): boolean {
  return Object.entries(wanted).every(([name, value]) => (found as Record<string, unknown>)[name] === value);
}

it('tells of a dead letter that is given up, and that fewer are open', async () => {
  const client = await listen();
  const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-03-10T12:00:00Z', data: { id: 'bad' } });
  const sent = await service.hook({ source: 'standard', topic: 'order.paid', body });
  const { delivery: id } = sent.body as { delivery: string };
  await client.saw('delivery', { id, state: 'dead' });
  await until(() => isLike(client.of('state').at(-1)?.['open'], { deadLetters: 1 }));
  expect((await service.operate('post', `dead-letters/${id}/discard`, { reason: 'a test' })).status).toBe(
    204,
  );
  await client.saw('delivery', { id, state: 'discarded' });
  await until(() => isLike(client.of('state').at(-1)?.['open'], { deadLetters: 0 }));
});

it('says that there were more where it tells of fifty', async () => {
  const client = await listen();
  await client.saw('state');
  // None of them may be looked at before all are there.
  const reads = service.part(LiveReads);
  const look = reads.read.bind(reads);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const spy = jest.spyOn(reads, 'read').mockImplementation(async (...asked) => {
    await held;
    return look(...asked);
  });
  await until(() => spy.mock.calls.length > 0);
  for (let count = 0; count < 55; count += 1) await order('order.created');
  await service.settle();
  release();
  await client.saw('more');
  spy.mockRestore();
  expect(client.of('delivery')).toHaveLength(50);
});

it('does not tell of another organization', async () => {
  const theirs = await OperatorsClient.of(service);
  const [client, mine] = [await listen(theirs.slug), await listen()];
  const { id } = await order();
  await mine.saw('delivery', { id });
  expect(client.of('delivery')).toEqual([]);
  expect(client.of('state')).toMatchObject([{ received: { accepted: 0 } }]);
});

it('lets twenty listen to an organization and a hundred to all, and one more when one has gone', async () => {
  const theirs = await OperatorsClient.of(service);
  const many = await Promise.all(Array.from({ length: 20 }, () => listen(theirs.slug)));
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await listen(theirs.slug);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
  many[0]!.close();
  await until(() => updates.size === 19);
  expect((await listen(theirs.slug)).status).toBe(200);
  for (let count = 0; count < 4; count += 1) {
    const { slug } = await OperatorsClient.of(service);
    await Promise.all(Array.from({ length: 20 }, () => listen(slug)));
  }
  expect([updates.size, (await listen()).status]).toEqual([100, 503]);
});

it('reads nothing while nobody listens', async () => {
  const client = await listen();
  await client.saw('state');
  client.close();
  await until(() => updates.size === 0);
  const look = jest.spyOn(service.part(LiveReads), 'read');
  const { id } = await order();
  await service.settle();
  expect(look).not.toHaveBeenCalled();
  look.mockRestore();
  // Who comes afterwards is told how things are, and not of what was before.
  const later = await listen();
  const { id: next } = await order();
  await later.saw('delivery', { id: next });
  expect(later.of('delivery').filter((delivery) => delivery['id'] === id)).toEqual([]);
});

it('is refused to a client that takes no events, and to keys without the scope', async () => {
  expect((await listen('main', OPERATORS_KEY, 'application/json')).status).toBe(406);
  expect((await listen('main', OPERATORS_KEY, '*/*')).status).toBe(200);
  expect((await listen('main', 'nobody')).status).toBe(401);
  const made = await service.operate('post', 'keys', { name: 'feed', scopes: ['feed:read'] });
  expect((await listen('main', (made.body as { key: string }).key)).status).toBe(403);
  const theirs = await OperatorsClient.of(service);
  const own = await theirs.send('post', '/keys', { name: 'theirs', scopes: ['admin'] });
  expect((await listen('main', (own.body as { key: string }).key)).status).toBe(404);
});

describe('with little patience', () => {
  interface Patience {
    endsAfterMs: number;
    commentAfterMs: number;
    keyCheckedEveryMs: number;
  }
  let patience: Patience;
  let before: Patience;

  beforeEach(() => {
    patience = updates as unknown as Patience;
    const { endsAfterMs, commentAfterMs, keyCheckedEveryMs } = patience;
    before = { endsAfterMs, commentAfterMs, keyCheckedEveryMs };
  });
  afterEach(() => Object.assign(patience, before));

  it('ends when the key is revoked, and goes on with one that is not', async () => {
    patience.keyCheckedEveryMs = 100;
    const made = await service.operate('post', 'keys', { name: 'console', scopes: ['admin'] });
    const { id, key } = made.body as { id: string; key: string };
    const [client, other] = [await listen('main', key), await listen()];
    await client.saw('state');
    const reply = await service.http
      .delete(`/admin/organizations/main/keys/${id}`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`);
    expect(reply.status).toBe(204);
    await until(() => client.ended);
    const { id: delivery } = await order();
    await other.saw('delivery', { id: delivery });
    expect([client.of('delivery'), other.ended]).toEqual([[], false]);
  });

  it('is for people who are signed in, too, and ends when they sign out', async () => {
    patience.keyCheckedEveryMs = 100;
    const signedIn = await service.http
      .post('/admin/session')
      .set('authorization', `Bearer ${OPERATORS_KEY}`);
    const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';');
    const url = `${service.url}/admin/organizations/main/live`;
    const client = await LiveClient.open(url, '', undefined, { cookie });
    await client.saw('state');
    const { csrfToken } = signedIn.body as { csrfToken: string };
    await service.http.delete('/admin/session').set({ cookie, 'x-csrf-token': csrfToken }).expect(204);
    await until(() => client.ended);
  });

  it('sends a line that says nothing where nothing is sent, and ends after a time', async () => {
    Object.assign(patience, { commentAfterMs: 200 });
    const client = await listen();
    await until(() => client.comments > 1);
    patience.endsAfterMs = 0;
    await until(() => client.ended);
  });
});

it('cuts off whoever does not read', () => {
  const listener = new LiveListener(nobody, 0);
  const data = { text: 'x'.repeat(10_000) };
  for (let count = 0; count < 20; count += 1) listener.send('state', data);
  expect(listener.stream.destroyed).toBe(false);
  for (let count = 0; count < 20; count += 1) listener.send('state', data);
  expect(listener.stream.destroyed).toBe(true);
  // Nothing is thrown at whoever tells others besides.
  listener.send('state', data);
  listener.comment();
  listener.end();
});

it('ends with the process, which waits for nobody who listens', async () => {
  const own = await TestService.start();
  const client = await LiveClient.open(`${own.url}/admin/organizations/main/live`, OPERATORS_KEY);
  await client.saw('state');
  const [asked, theirs] = [jest.spyOn(own.part(Shutdown), 'run'), own.part(LiveUpdates)];
  const organization = await own.part(OrganizationsRepository).find('main');
  const began = performance.now();
  await own.stop();
  expect(asked).toHaveBeenCalled();
  await until(() => client.ended);
  // Replies in flight are cut off after 30 s.
  expect(performance.now() - began).toBeLessThan(20_000);
  const late = theirs.join(organization!, nobody, new AbortController().signal);
  await expect(late).rejects.toMatchObject({ code: 'shutting-down' });
});

it('keeps no place for somebody who has gone before they were told anything', async () => {
  const organization = await service.part(OrganizationsRepository).find('main');
  await updates.join(organization!, nobody, AbortSignal.abort());
  expect(updates.size).toBe(0);
});
