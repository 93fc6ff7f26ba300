import { setTimeout as sleep } from 'node:timers/promises';
import { AccessTokens } from '../../src/deliveries/fetch-back/access-tokens';
import { ProviderApi } from '../../src/deliveries/fetch-back/provider-api';
import { SourceAccess } from '../../src/deliveries/fetch-back/source-access.repository';
import { SourceDirectory } from '../../src/deliveries/source-directory';
import { newId } from '../../src/kernel/identifier';
import { paidOrderMessage } from '../support/thin-orders';
import { OrderHarness } from '../support/order-harness';
import { TokenApi } from '../support/token-api';
import { withTokens } from '../support/token-provider';

const SECRET = 'at the end of the address';
const LOCAL = { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' };

describe('an API that wants access tokens', () => {
  let harness: OrderHarness;
  let api: TokenApi;
  let sources = 0;
  let slug: string;
  let orders = 0;

  beforeAll(async () => {
    harness = await OrderHarness.embedded(LOCAL, [withTokens]);
  });
  afterAll(() => harness.stop());

  beforeEach(async () => {
    api = await TokenApi.start('first', (id) => paidOrderMessage(id));
    sources += 1;
    slug = `shop-${sources}`;
    const made = await harness.service.operate('post', 'sources', {
      ...{ slug, provider: 'with-tokens', secrets: [SECRET], settings: { apiUrl: api.url } },
    });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    await authorize('first');
  });
  afterEach(() => api.stop());

  async function authorize(refreshToken: string): Promise<void> {
    const reply = await harness.service.operate('put', `sources/${slug}/credentials`, {
      credentials: { clientSecret: 'the secret', refreshToken },
    });
    expect(reply.status).toBe(200);
  }

  /** @returns the delivery */
  async function notify(): Promise<string> {
    orders += 1;
    const reply = await harness.service.http
      .post(`/hooks/main/${slug}/${encodeURIComponent(SECRET)}`)
      .set('content-type', 'application/json')
      .send(JSON.stringify({ type: 'order', id: String(orders) }));
    expect(reply.status).toBe(202);
    return (reply.body as { delivery: string }).delivery;
  }

  async function shown(id: string): Promise<{ state: string; reason: string | null }> {
    return (await harness.service.admin(`deliveries/${id}`)) as never;
  }

  async function booked(...deliveries: readonly string[]): Promise<void> {
    await harness.settled();
    for (const id of deliveries) expect(await shown(id)).toMatchObject({ state: 'done', reason: null });
    expect(api.complaints).toEqual([]);
  }

  const source = () => {
    const found = harness.service.part(SourceDirectory).find('main', slug);
    if (!found) throw new Error('there is no such source');
    return found;
  };
  /** As another replica has them: nothing in memory. */
  const replica = (): AccessTokens =>
    Object.assign(Object.create(AccessTokens.prototype) as AccessTokens, harness.service.part(AccessTokens), {
      known: new Map(),
      underWay: new Map(),
    });

  it('is asked for one, which serves all deliveries and all replicas until it runs out', async () => {
    const deliveries = await Promise.all([notify(), notify(), notify(), notify()]);
    await booked(...deliveries, await notify());
    expect(api.granted).toBe(1);
    const answers = await Promise.all(
      [replica(), replica()].map((tokens) => tokens.of(source(), new ProviderApi(), 0)),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({ state: 'granted', access: { accessToken: 'access-1' } });
    expect(api.shown).toEqual(['first']);
  });

  it('is asked by one replica alone, with a refresh token that is good for one time', async () => {
    const answers = await Promise.all(
      [replica(), replica(), replica()].map((tokens) => tokens.of(source(), new ProviderApi(), 0)),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({ state: 'granted', access: { accessToken: 'access-1' } });
    expect(api.shown).toEqual(['first']);
  });

  it('is asked again, with the newest refresh token, when the token has run out', async () => {
    // Of two milliseconds one is used.
    api.lastsSeconds = 0.002;
    const tokens = replica();
    for (const asker of [tokens, tokens, replica()]) {
      await asker.of(source(), new ProviderApi(), 0);
      await sleep(10);
    }
    expect(api.shown).toEqual(['first', 'refresh-1', 'refresh-2']);
  });

  it('is asked again at once when it refuses a token before its time', async () => {
    await booked(await notify());
    api.withdraw();
    const delivery = await notify();
    await booked(delivery);
    expect(api.shown).toEqual(['first', 'refresh-1']);
    const { attempts } = await harness.service.database.prisma.delivery.findUniqueOrThrow({
      where: { id: delivery },
    });
    expect(attempts).toBe(0);
  });

  it('is a person’s when it grants none, and goes on with new credentials', async () => {
    api.authorizeAnew('second');
    const delivery = await notify();
    for (;;) {
      const { state } = await shown(delivery);
      if (state !== 'waiting') break;
      await harness.service.database.prisma.$executeRaw`
        update delivery set ready_at = now() where id = ${delivery}::uuid and state = 'waiting' and lease_id is null`;
      harness.service.wakeWorker();
    }
    expect(await shown(delivery)).toMatchObject({
      state: 'dead',
      reason: "its API grants no access for the source's credentials (400), 6 times",
    });
    await authorize('second');
    const retried = await harness.service.operate('post', `dead-letters/${delivery}/retry`, {
      reason: 'new',
    });
    expect(retried.status).toBe(204);
    await booked(delivery);
    expect(api.shown.at(-1)).toBe('second');
  });

  it('keeps the newest refresh token when the same credentials are entered again', async () => {
    await booked(await notify());
    await authorize('first');
    api.withdraw();
    await booked(await notify());
    expect(api.shown).toEqual(['first', 'refresh-1']);
  });

  it('is asked by another replica where the one that asked has died', async () => {
    const { prisma } = harness.service.database;
    const { id } = source();
    const leased = { leaseId: newId(), leasedUntil: new Date(Date.now() + 3_600_000) };
    await prisma.sourceAccess.create({ data: { sourceId: id, ...leased } });
    const waiting = replica().of(source(), new ProviderApi(), 0);
    await prisma.sourceAccess.update({ where: { sourceId: id }, data: { leasedUntil: new Date(0) } });
    expect(await waiting).toMatchObject({ state: 'granted', access: { accessToken: 'access-1' } });
    expect(api.shown).toEqual(['first']);
  });

  it('is not asked again, and loses no refresh token, where the database cannot be reached when it has granted one', async () => {
    const lost = new Error('the connection was lost');
    const end = jest.spyOn(harness.service.part(SourceAccess), 'end');
    end.mockRejectedValueOnce(lost).mockRejectedValueOnce(lost);
    await booked(await notify());
    expect(end).toHaveBeenCalledTimes(3);
    end.mockRestore();
    expect(api.granted).toBe(1);
    await booked(await notify());
    expect(api.granted).toBe(1);
  });

  it('is asked again later when it is down or says something else', async () => {
    api.faults.push(
      (response) => response.writeHead(500).end(),
      (response) => response.writeHead(200).end('<h1>Back soon</h1>'),
      (response) => response.destroy(),
    );
    const reasons = [];
    for (let time = 0; time < 3; time += 1) reasons.push(await replica().of(source(), new ProviderApi(), 0));
    expect(reasons).toMatchObject([
      { state: 'later', reason: expect.stringContaining('status 500') as string },
      { state: 'later', reason: expect.stringContaining('no token') as string },
      { state: 'later', reason: expect.stringContaining('no answer came') as string },
    ]);
    expect(JSON.stringify(reasons)).not.toMatch(/the secret|first/);
    await booked(await notify());
  });

  it('is stored so that nobody reads it without the key', async () => {
    await booked(await notify());
    const [row] = await harness.service.database.prisma.$queryRaw<{ text: string }[]>`
      select encode(granted, 'escape') as text from source_access where source_id = ${source().id}::uuid`;
    expect(row?.text).not.toMatch(/access-|refresh-/);
    expect(row?.text.length).toBeGreaterThan(20);
  });
});
