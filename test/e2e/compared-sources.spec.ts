import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { ComparisonWorker } from '../../src/deliveries/comparison/comparison-worker';
import type { SourceProvider } from '../../src/sources/source';
import { answerOf, type ListCase, listings } from '../support/list-cases';
import { OperatorsClient } from '../support/operators-client';
import { type Behaviour, ProviderApiServer } from '../support/provider-api-server';
import { TestService } from '../support/service';
import { casesOf, fetchedIn, FIXTURES, SECRET } from '../support/source-cases';
import { until } from '../support/until';

const [DAY_MS, HOUR_MS] = [86_400_000, 3_600_000];
/** A time of a page, with its zone where it has one. */
const TIME = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z?"/g;
/** The access token that the API grants, and takes. */
let token = 'granted-for-the-tests';

let service: TestService;
let api: ProviderApiServer;

beforeAll(async () => {
  service = await TestService.start(undefined, { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' });
  api = await ProviderApiServer.start((_request, response) => response.destroy());
});
afterAll(async () => {
  await service.stop();
  await api.stop();
});

/*
 * Each list of `list.json` is given by an HTTP server, and so is what its items name: what no webhook brought goes the whole
 * way from the list to the delivery's end, and nothing of it is missing afterwards.
 */
describe.each(listings())('a source of %s', (id, provider, list, listed) => {
  let client: OperatorsClient;
  let sourceId: string;

  beforeAll(async () => {
    // What the provider before had is compared no more.
    await service.database.prisma.source.updateMany({ data: { paused: true } });
    client = await OperatorsClient.of(service);
    const settings = { ...listed.settings, apiUrl: api.url };
    const made = await client.send('post', '/sources', {
      ...{ slug: 'loja', provider: id, secrets: [SECRET], settings },
    });
    expect([made.status, made.body]).toEqual([201, expect.anything()]);
    ({ id: sourceId } = made.body as { id: string });
    const names = Object.keys(provider.api?.credentials ?? {});
    const credentials = Object.fromEntries(names.map((name) => [name, `${name} of the tests`]));
    expect((await client.send('put', '/sources/loja/credentials', { credentials })).status).toBe(200);
    await service.database.prisma.source.update({
      where: { id: sourceId },
      data: { createdAt: new Date(Date.now() - 2 * DAY_MS) },
    });
  });
  async function compare(): Promise<{ missed: number; comparisonFailure: string | null }> {
    await service.database.prisma.sourceComparison.updateMany({ data: { dueAt: new Date(0) } });
    await service.part(ComparisonWorker).run();
    const { status } = (await client.send('get', '/sources/loja')).body as {
      status: { missed: number; comparisonFailure: string | null };
    };
    return status;
  }

  it('gets what no webhook brought, and nothing of it again', async () => {
    expect(list.missingSetting({ ...listed.settings, apiUrl: api.url })).toBeUndefined();
    api.behave(answersOf(provider, listed));
    expect(await compare()).toMatchObject({ missed: listed.items.length, comparisonFailure: null });
    const tried = listed.items.filter(({ case: file }) => file !== undefined);
    await until(async () => {
      const done = await client.items('/deliveries');
      return done.filter(({ state }) => state === 'done').length >= tried.length;
    });
    const deliveries = (await client.items('/deliveries')).map(({ origin, businessKey }) => [
      origin,
      businessKey,
    ]);
    for (const { entity } of tried)
      if (entity !== undefined) expect(deliveries).toContainEqual(['comparison', `loja/${entity}`]);
    expect(deliveries.map(([origin]) => origin)).toEqual(listed.items.map(() => 'comparison'));
    expect(await compare()).toMatchObject({ missed: 0, comparisonFailure: null });
  });

  if (provider.api?.accessTokens)
    it('asks with another access token where the API refuses the one that it granted', async () => {
      token = `granted-later-for-${id}`;
      api.behave(answersOf(provider, listed));
      expect(await compare()).toMatchObject({ missed: 0, comparisonFailure: null });
    });

  it('says so where the list cannot be read', async () => {
    api.behave((request, response) => {
      if (isForToken(provider, request)) return response.end(grant());
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    });
    const { missed, comparisonFailure } = await compare();
    expect([missed, comparisonFailure]).toEqual([0, expect.stringContaining('its list cannot be read')]);
  });
});

/** The API: it grants tokens, gives the pages of its list one after another, and has what the cases say. */
function answersOf(provider: SourceProvider, { pages, items, period, keepsToPeriod }: ListCase): Behaviour {
  const laterMs = keepsToPeriod ? Date.now() - HOUR_MS - Date.parse(period.to) : 0;
  const listPaths = new Set(pages.map(({ path }) => pathOf(path)));
  const fetched = items.flatMap(({ case: file }) => {
    const found = casesOf(provider.id).find((one) => one.file === file);
    const answers = found ? fetchedIn(join(FIXTURES, provider.id), found) : [];
    return (found?.fetched ?? []).map(({ path, name }, index) => ({ path, name, answer: answers[index] }));
  });
  let asked = 0;
  return (request, response) =>
    void textOf(request).then((sent) => {
      const { url = '', headers } = request;
      response.setHeader('content-type', 'application/json');
      if (isForToken(provider, request)) return response.end(grant());
      if (provider.api?.accessTokens && !hasToken(headers)) return response.writeHead(401).end('{}');
      const known = fetched.find(({ path, name }) => path === url && sent.includes(sentFor(name, request)));
      const page = known?.answer ?? (listPaths.has(pathOf(url)) ? nextPage() : undefined);
      return response.writeHead(page?.status ?? 400).end(page?.body);
    });

  function nextPage(): ReturnType<typeof answerOf> {
    const page = pages[asked % pages.length] as ListCase['pages'][number];
    asked += 1;
    const answer = answerOf(provider.id, page);
    return laterMs === 0 ? answer : { ...answer, body: moved(answer.body, laterMs) };
  }
}

/** In the spellings of all. */
function grant(): string {
  return JSON.stringify({ access_token: token, accessToken: token, expires_in: 3600, expiresIn: 3600 });
}

function moved(page: Buffer, byMs: number): Buffer {
  const text = page.toString('utf8');
  return Buffer.from(
    text.replace(TIME, (_, time: string) => `"${new Date(Date.parse(`${time}Z`) + byMs).toISOString()}"`),
  );
}

/** In the header `Authorization`, or alone in one of the provider's own. */
function hasToken(headers: IncomingHttpHeaders): boolean {
  return Object.values(headers).some((value) => value === `Bearer ${token}` || value === token);
}

/** What a POST names, where several are sent to one path and the name of what is asked for ends with its number. */
function sentFor(name: string, { method }: Parameters<Behaviour>[0]): string {
  return method === 'POST' ? (/\d+$/.exec(name)?.[0] ?? '') : '';
}

function pathOf(address: string): string {
  return address.split('?')[0] as string;
}

function isForToken({ api }: SourceProvider, { method, url = '' }: Parameters<Behaviour>[0]): boolean {
  return (
    method === 'POST' && api?.accessTokens?.url({ apiUrl: 'http://api.test' }) === `http://api.test${url}`
  );
}
