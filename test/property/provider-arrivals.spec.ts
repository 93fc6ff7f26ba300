import { join } from 'node:path';
import { ResumedDeliveries } from '../../src/deliveries/resumed-deliveries';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { findProvider, PROVIDERS } from '../../src/sources/registry';
import type { SourceProvider } from '../../src/sources/source';
import { send } from '../support/operators-client';
import { type Behaviour, ProviderApiServer } from '../support/provider-api-server';
import { propertyRuns } from '../support/property-runs';
import { Random } from '../support/random';
import { TestService } from '../support/service';
import { casesIn, fetchedIn, FIXTURES, readFixture, SECRET, type SourceCase } from '../support/source-cases';
import { until } from '../support/until';

/** What moves money of an account. */
const MOVEMENTS = ['receipt', 'payment', 'transfer'] as const;

/** With a larger PROPERTY_SCALE also shuffled. */
const ORDERS = (['as they are listed', 'the other way round', 'shuffled'] as const).slice(0, propertyRuns(2));

/** PagBank tells the sum of what went back alone: of two sums the first to come is booked, and a person is asked about the other. */
const GROWING = 'order-refunded-in-part.json';

/** What is gone is believed after a minute of asking: too long for a test. */
const GONE: readonly number[] = [404, 410];

/** What an API that wants access tokens grants, in the spellings of all. */
const TOKEN = 'granted-for-the-tests';
const GRANT = JSON.stringify({ access_token: TOKEN, accessToken: TOKEN, expires_in: 3600, expiresIn: 3600 });

/** What came of a provider's fixtures, one line a record. Days are left out: some are inferred of what came first. */
type Outcome = readonly string[];

describe('the fixtures of a provider', () => {
  let service: TestService;
  let api: ProviderApiServer;
  let organizations = 0;

  beforeAll(async () => {
    service = await TestService.start(undefined, { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' });
    api = await ProviderApiServer.start((_request, response) => response.destroy());
  });
  afterAll(async () => {
    await service.stop();
    await api.stop();
  });

  it.each(PROVIDERS.map((provider) => [provider.id, provider] as const))(
    'of %s come to the same records in whatever order they arrive, each twice',
    async (_id, provider) => {
      const cases = casesIn(join(FIXTURES, provider.id));
      const usual = JSON.stringify(provider.fetchBack && cases[0]?.settings);
      const files = new Map(
        cases
          .filter(({ settings, file }) => JSON.stringify(settings) === usual && file !== GROWING)
          .filter(({ fetched = [] }) => !fetched.some(({ status = 200 }) => GONE.includes(status)))
          .map((one) => [one.file, one]),
      );
      const listed = [...files.values()];
      const outcomes = new Map<string, Outcome>();
      for (const order of ORDERS) outcomes.set(order, await outcomeOf(provider, arranged(listed, order)));
      const [first, ...others] = outcomes.values();
      expect(first?.some((line) => line.startsWith('entry')) ?? false).toBe(true);
      for (const other of others) expect(other).toEqual(first);
      expect((await verifyLedger(service.database.prisma)).difference).toBeUndefined();
    },
  );

  it('of PagBank book one of two sums that went back of a charge, and ask a person about the other', async () => {
    const pagbank = findProvider('pagbank');
    const cases = ['order-card-paid.json', GROWING, 'order-refunded.json'].map((file) => ({
      ...{ file, topic: 'PAID', says: file },
    }));
    if (!pagbank) throw new Error('there is no PagBank');
    const back = /^entry payment .*: (\d+)$/;
    for (const [arrival, minor] of [
      [cases, '11500'],
      [cases.toReversed(), '27490'],
    ] as const) {
      const outcome = await outcomeOf(pagbank, arrival);
      expect(outcome.flatMap((line) => back.exec(line)?.[1] ?? [])).toEqual([minor]);
      expect(outcome.filter((line) => line.startsWith('attention amount-differs'))).toHaveLength(1);
    }
  });

  async function outcomeOf(provider: SourceProvider, cases: readonly SourceCase[]): Promise<Outcome> {
    organizations += 1;
    const slug = `o-${organizations}`;
    const made = await send(service, 'post', '', { slug, name: slug, chart: 'brazil' });
    expect(made.status).toBe(201);
    const { fetchBack, api: itsApi } = provider;
    const keysUrl = provider.publicKeys && { keysUrl: api.url };
    const settings = fetchBack && { ...cases[0]?.settings, apiUrl: api.url, ...keysUrl };
    const source = { slug: 'loja', provider: provider.id, secrets: [SECRET], settings };
    expect((await send(service, 'post', `/${slug}/sources`, source)).status).toBe(201);
    if (fetchBack) await setCredentials(slug, Object.keys(itsApi?.credentials ?? {}));
    for (const one of cases) {
      api.behave(answersOf(provider, one));
      for (let time = 0; time < 2; time += 1) await hook(provider, slug, one);
      // What is fetched is what the API says while this case is the latest.
      if (fetchBack) await nothingWaits();
    }
    await settled();
    return recordsOf((made.body as { id: string }).id);
  }

  async function setCredentials(slug: string, names: readonly string[]): Promise<void> {
    const credentials = Object.fromEntries(names.map((name) => [name, `${name} of the tests`]));
    const reply = await send(service, 'put', `/${slug}/sources/loja/credentials`, { credentials });
    expect(reply.status).toBe(200);
  }

  async function nothingWaits(): Promise<void> {
    const { prisma } = service.database;
    await until(async () => (await prisma.delivery.count({ where: { state: 'waiting' } })) === 0);
  }

  async function hook(provider: SourceProvider, slug: string, { file, topic }: SourceCase): Promise<void> {
    const fixture = readFixture(provider.id, file);
    const body = provider.bodyFor?.(fixture, SECRET) ?? fixture;
    const message = { secret: SECRET, body, topic, id: `${slug}-${file}`, sentAt: new Date() };
    const reply = await service.http
      .post(`/hooks/${slug}/loja${provider.secretInAddress ? `/${encodeURIComponent(SECRET)}` : ''}`)
      .query(provider.signQuery?.(message) ?? {})
      .set(provider.sign(message))
      .serialize((bytes) => bytes as unknown as string)
      .send(body);
    expect(reply.status).toBe(provider.acceptedStatus ?? 200);
  }

  /** Until nothing is left to do, what waited for a record included. */
  async function settled(): Promise<void> {
    do await service.settle();
    while ((await service.part(ResumedDeliveries).resume()) > 0);
  }

  async function recordsOf(organizationId: string): Promise<Outcome> {
    const { prisma } = service.database;
    const where = { organizationId };
    const [schedules, entries, attention, dead] = await Promise.all([
      prisma.schedule.findMany({ where }),
      prisma.entry.findMany({ where: { ...where, kind: { in: [...MOVEMENTS] } } }),
      prisma.attention.findMany({ where: { ...where, resolvedAt: null } }),
      prisma.delivery.findMany({ where: { ...where, state: { not: 'done' } } }),
    ]);
    return [
      ...schedules.map(
        ({ reference, instalment, valueMinor, openMinor }) =>
          `receivable ${reference} ${instalment}: ${valueMinor}, ${openMinor} open`,
      ),
      ...entries.map(({ kind, reference, amountMinor }) => `entry ${kind} ${reference}: ${amountMinor}`),
      ...attention.map(({ code, businessKey, detail }) => `attention ${code} ${businessKey}: ${detail}`),
      ...dead.map(({ state, topic, reason }) => `delivery ${state} ${topic}: ${reason}`),
    ].sort();
  }
});

/** The provider's API as it is when this case arrives; what the case does not name is not there. */
function answersOf({ id, api, publicKeys }: SourceProvider, one: SourceCase): Behaviour {
  const answers = fetchedIn(join(FIXTURES, id), one);
  const byPath = new Map((one.fetched ?? []).map(({ path }, index) => [path, answers[index]]));
  const tokens = api?.accessTokens?.url({ apiUrl: 'http://api.test' });
  const keys = publicKeys?.ofSigner() ?? {};
  return ({ url = '', method, headers }, response) => {
    const asksForToken = tokens !== undefined && method === 'POST' && tokens === `http://api.test${url}`;
    const given = asksForToken ? GRANT : keys[url];
    const answer = given === undefined ? byPath.get(url) : { status: 200, body: given };
    const isKnown = tokens === undefined || asksForToken || headers.authorization === `Bearer ${TOKEN}`;
    response.writeHead(isKnown ? (answer?.status ?? 400) : 401, { 'content-type': 'application/json' });
    response.end(isKnown ? answer?.body : '{}');
  };
}

function arranged(cases: readonly SourceCase[], order: (typeof ORDERS)[number]): SourceCase[] {
  if (order === 'as they are listed') return [...cases];
  if (order === 'the other way round') return cases.toReversed();
  const random = new Random(20_261_124);
  return cases
    .map((one) => ({ one, place: random.next() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ one }) => one);
}
