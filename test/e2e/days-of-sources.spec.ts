import { join } from 'node:path';
import type { Test } from 'supertest';
import { signedHeaders } from '../../src/sources/registry';
import { ProviderApiServer } from '../support/provider-api-server';
import { OPERATORS_KEY, TestService } from '../support/service';
import { casesOf, fetchedIn, FIXTURES, readFixture, SECRET } from '../support/source-cases';
import { until } from '../support/until';

/*
 * A company in Manaus, an hour behind Brasília, whose ERP or gateway has the clocks of Brasília, as the source's setting
 * `timeZone` says. What comes with a day alone is posted on that day, and not on the one before.
 */
const COMPANY = { slug: 'manaus', name: 'Manaus', timeZone: 'America/Manaus', chart: 'brazil' };
const BRASILIA = 'America/Sao_Paulo';

let service: TestService;
let api: ProviderApiServer;

beforeAll(async () => {
  service = await TestService.start(undefined, { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' });
  api = await ProviderApiServer.start((_request, response) => response.destroy());
  await operate('post', '', COMPANY).expect(201);
});
afterAll(async () => {
  await service.stop();
  await api.stop();
});

function operate(method: 'post' | 'put', path: string, body: object): Test {
  return service.http[method](`/admin/organizations${path}`)
    .set('authorization', `Bearer ${OPERATORS_KEY}`)
    .send(body);
}

it.each([
  ['omie', 'pix-paid.json', { appSecret: 's3cret' }, '2026-07-20'],
  ['asaas', 'pix-received.json', { apiKey: '$aact_x' }, '2026-07-16'],
])('what %s has a day of alone is posted on that day', async (id, file, credentials, day) => {
  const found = casesOf(id).find((one) => one.file === file);
  if (!found) throw new Error(`no case of ${file}`);
  const answers = fetchedIn(join(FIXTURES, id), found);
  api.behave(({ url }, response) => {
    const answer = answers[(found.fetched ?? []).findIndex(({ path }) => path === url)];
    response.writeHead(answer?.status ?? 404, { 'content-type': 'application/json' }).end(answer?.body);
  });
  const settings = { ...found.settings, timeZone: BRASILIA, apiUrl: api.url };
  await operate('post', '/manaus/sources', {
    ...{ slug: id, provider: id, secrets: [SECRET], settings },
  }).expect(201);
  await operate('put', `/manaus/sources/${id}/credentials`, { credentials }).expect(200);
  const body = readFixture(id, file);
  const signed = signedHeaders(id, {
    topic: found.topic,
    body,
    id: 'd-1',
    secret: SECRET,
    sentAt: new Date(),
  });
  await service.http
    .post(`/hooks/manaus/${id}${id === 'omie' ? `/${encodeURIComponent(SECRET)}` : ''}`)
    .set({ 'content-type': 'application/json', ...signed })
    .send(body.toString('utf8'))
    .expect(200);
  const { prisma } = service.database;
  const receipts = () =>
    prisma.entry.findMany({ where: { description: { startsWith: `${id} order` } }, select: { date: true } });
  await until(async () => (await receipts()).length > 0);
  expect(new Set((await receipts()).map(({ date }) => date.toISOString().slice(0, 10)))).toEqual(
    new Set([day]),
  );
});
