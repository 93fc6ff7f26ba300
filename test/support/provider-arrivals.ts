import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ResumedDeliveries } from '../../src/deliveries/resumed-deliveries';
import type { SourceProvider } from '../../src/sources/source';
import { send } from './operators-client';
import { type Behaviour, ProviderApiServer } from './provider-api-server';
import { propertyRuns } from './property-runs';
import { Random } from './random';
import { OPERATORS_KEY, TestService } from './service';
import { casesIn, fetchedIn, FIXTURES, readFixture, SECRET, type SourceCase } from './source-cases';

/** What moves money of an account. */
const MOVEMENTS = ['receipt', 'payment', 'transfer'] as const;

type Order = 'as they are listed' | 'the other way round' | 'shuffled';

/** In which order cases arrive, and which of them, by their place in it, are imported instead of received. */
export interface Way {
  name: string;
  order: Order;
  imports: (place: number) => boolean;
}

/** Whether everything is tried, which takes three times as long; `.ci/run` does. */
const isAll = propertyRuns(1) > 1;

/** How the cases of a provider arrive in other shops than the first. */
export const WAYS: readonly Way[] = (
  [
    { name: 'by turns', order: 'the other way round', imports: (place) => place % 2 === 1 },
    { name: 'received', order: 'the other way round', imports: () => false },
    { name: 'received', order: 'shuffled', imports: () => false },
    { name: 'imported', order: 'shuffled', imports: () => true },
  ] satisfies Way[]
).slice(0, isAll ? undefined : 1);

/** PagBank tells the sum of what went back alone: of two sums the first to come is booked, and a person is asked about the other. */
export const GROWING = 'order-refunded-in-part.json';

/** What is gone is believed after a minute of asking: too long for a test. */
const GONE: readonly number[] = [404, 410];

/** What an API that wants access tokens grants, in the spellings of all. */
const TOKEN = 'granted-for-the-tests';
const GRANT = JSON.stringify({ access_token: TOKEN, accessToken: TOKEN, expires_in: 3600, expiresIn: 3600 });

/** What came of a provider's fixtures, one line a record. Days are left out: some are inferred of what came first. */
export type Outcome = readonly string[];

/**
 * What is imported although all of it was received: as webhooks, and as records of the provider's API. In the usual size
 * each case is one of the two.
 */
export function importedAgain(cases: readonly SourceCase[]): {
  webhooks: SourceCase[];
  records: SourceCase[];
} {
  return {
    webhooks: cases.filter((_, place) => isAll || place % 2 === 0),
    records: cases.filter((_, place) => isAll || place % 2 === 1),
  };
}

/** The fixtures of a provider that are about one shop, each file once. */
export function arrivingCases(provider: SourceProvider): SourceCase[] {
  const cases = casesIn(join(FIXTURES, provider.id));
  const usual = JSON.stringify(provider.fetchBack && cases[0]?.settings);
  const files = new Map(
    cases
      .filter(({ settings, file }) => JSON.stringify(settings) === usual && file !== GROWING)
      .filter(({ fetched = [] }) => !fetched.some(({ status = 200 }) => GONE.includes(status)))
      .map((one) => [one.file, one]),
  );
  return [...files.values()];
}

/** Of a provider that is asked, a line proves nothing by itself: what the API does not have any more is a dead letter. */
export function canBeImported(provider: SourceProvider, { fetched = [] }: SourceCase): boolean {
  return !provider.fetchBack || fetched.length > 0;
}

/** A service with its database, and one API that stands for those of all providers. */
export class ProviderArrivals {
  private organizations = 0;

  private constructor(
    readonly service: TestService,
    private readonly api: ProviderApiServer,
  ) {}

  static async start(): Promise<ProviderArrivals> {
    return new ProviderArrivals(
      await TestService.start(undefined, { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' }),
      await ProviderApiServer.start((_request, response) => response.destroy()),
    );
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.api.stop();
  }

  /** A source in an organization of its own. @param cases whose settings it gets */
  async shop(provider: SourceProvider, cases: readonly SourceCase[]): Promise<ArrivalShop> {
    this.organizations += 1;
    const slug = `o-${this.organizations}`;
    const made = await send(this.service, 'post', '', { slug, name: slug, chart: 'brazil' });
    expect(made.status).toBe(201);
    const { fetchBack, api: itsApi } = provider;
    const keysUrl = provider.publicKeys && { keysUrl: this.api.url };
    const settings = fetchBack && { ...cases[0]?.settings, apiUrl: this.api.url, ...keysUrl };
    const source = { slug: 'loja', provider: provider.id, secrets: [SECRET], settings };
    expect((await send(this.service, 'post', `/${slug}/sources`, source)).status).toBe(201);
    if (fetchBack) await this.setCredentials(slug, Object.keys(itsApi?.credentials ?? {}));
    return new ArrivalShop(this.service, this.api, provider, slug, (made.body as { id: string }).id);
  }

  private async setCredentials(slug: string, names: readonly string[]): Promise<void> {
    const credentials = Object.fromEntries(names.map((name) => [name, `${name} of the tests`]));
    const reply = await send(this.service, 'put', `/${slug}/sources/loja/credentials`, { credentials });
    expect(reply.status).toBe(200);
  }
}

/** One source, and what came of what arrived there. */
export class ArrivalShop {
  constructor(
    private readonly service: TestService,
    private readonly api: ProviderApiServer,
    private readonly provider: SourceProvider,
    private readonly slug: string,
    private readonly organizationId: string,
  ) {}

  /** Sends webhooks, each twice. */
  async receive(cases: readonly SourceCase[]): Promise<void> {
    for (const one of cases)
      await this.arrive(one, async () => {
        for (let time = 0; time < 2; time += 1) await this.hook(one);
      });
  }

  /** Imports the same things, a line each, as webhooks have them. */
  async import(cases: readonly SourceCase[]): Promise<void> {
    const { provider } = this;
    for (const one of cases)
      await this.arrive(one, async () => {
        const query = provider.topicInBody ? {} : { topic: one.topic };
        const { refused } = await this.importLine(join(FIXTURES, provider.id, one.file), query);
        // A message without a topic is none that an operator can mean.
        expect([one.file, refused]).toEqual([one.file, one.topic === 'unknown' ? 1 : 0]);
      });
  }

  /**
   * Imports the same things as the provider's API has them, which knows of no topics.
   * @returns of how many something was made
   */
  async importRecords(cases: readonly SourceCase[]): Promise<number> {
    const { provider } = this;
    let taken = 0;
    for (const one of cases)
      await this.arrive(one, async () => {
        const record = one.fetched?.[0]?.file;
        const path = record === undefined ? [one.file] : ['fetched', record];
        const counts = await this.importLine(join(FIXTURES, provider.id, ...path), {});
        taken += 1 - counts.refused;
      });
    return taken;
  }

  /** What there is, once nothing is left to do, what waited for a record included. */
  async records(): Promise<Outcome> {
    do await this.service.settle();
    while ((await this.service.part(ResumedDeliveries).resume()) > 0);
    const { prisma } = this.service.database;
    const where = { organizationId: this.organizationId };
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

  private async arrive(one: SourceCase, act: () => Promise<void>): Promise<void> {
    this.api.behave(answersOf(this.provider, one));
    await act();
    // What is fetched is what the API says while this case is the latest.
    if (this.provider.fetchBack) await this.service.finish();
  }

  private async hook({ file, topic }: SourceCase): Promise<void> {
    const { provider, slug } = this;
    const fixture = readFixture(provider.id, file);
    const body = provider.bodyFor?.(fixture, SECRET) ?? fixture;
    const message = { secret: SECRET, body, topic, id: `${slug}-${file}`, sentAt: new Date() };
    const reply = await this.service.http
      .post(`/hooks/${slug}/loja${provider.secretInAddress ? `/${encodeURIComponent(SECRET)}` : ''}`)
      .query(provider.signQuery?.(message) ?? {})
      .set(provider.sign(message))
      .serialize((bytes) => bytes as unknown as string)
      .send(body);
    expect(reply.status).toBe(provider.acceptedStatus ?? 200);
  }

  private async importLine(file: string, query: object): Promise<{ refused: number }> {
    // No text of JSON holds the end of a line, so that what is left out is never a part of one.
    const line = readFileSync(file, 'utf8').replaceAll(/\r?\n */g, '');
    const reply = await this.service.http
      .post(`/admin/organizations/${this.slug}/sources/loja/import`)
      .query(query)
      .set({ authorization: `Bearer ${OPERATORS_KEY}`, 'content-type': 'application/x-ndjson' })
      .serialize((text) => text as unknown as string)
      .send(line);
    expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ lines: 1 })]);
    return reply.body as { refused: number };
  }
}

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

export function arranged(cases: readonly SourceCase[], order: Order): SourceCase[] {
  if (order === 'as they are listed') return [...cases];
  if (order === 'the other way round') return cases.toReversed();
  const random = new Random(20_261_124);
  return cases
    .map((one) => ({ one, place: random.next() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ one }) => one);
}
