import { randomBytes } from 'node:crypto';
import { FinanceModule } from '../../../src/finance/finance.module';
import { ConnectionsRepository } from '../../../src/finance/remote/connections/connections.repository';
import { newId } from '../../../src/kernel/identifier';
import type { Organization } from '../../../src/kernel/organization';
import { refusalOf } from '../../support/finance-client';
import { StubService } from '../../support/stub-service';
import { TestingApp } from '../../support/testing-app';

const JSON_TYPE = { 'content-type': 'application/json' };

let stub: StubService;
let testing: TestingApp;
let key: string;

beforeAll(async () => {
  stub = await StubService.start();
  testing = await TestingApp.open({
    imports: [FinanceModule],
    env: {
      FINANCE_BACKEND: 'remote',
      FINANCE_BASE_URL: stub.url(),
      SECRETS_KEY: randomBytes(32).toString('base64'),
    },
  });
});
afterAll(async () => {
  await testing.close();
  await stub.stop();
});

async function connect(cacheMs: number): Promise<Organization> {
  const organization = await testing.makeOrganization();
  const stored = { cacheMs, limits: { perSecond: 10_000 } };
  await testing.database.transaction((tx) =>
    testing.app.get(ConnectionsRepository).put(tx, organization.id, stored, 'its-key'),
  );
  ({ key } = await testing.makeKey(organization, 'finance:read', 'finance:write'));
  return organization;
}

/** The service lists one cost center, called by how often it was asked. */
function listsCenters(): void {
  const costCenterId = newId();
  let asked = 0;
  stub.answer = (response, { method }) => {
    if (method !== 'GET') return response.writeHead(204).end();
    const items = [{ costCenterId, description: `Asked ${(asked += 1)}`, isDeleted: false }];
    return response.writeHead(200, JSON_TYPE).end(JSON.stringify({ items, count: 1, nextPageLink: null }));
  };
}

async function center(query = ''): Promise<string | undefined> {
  const reply = await testing.http.get(`/v1/costcenters${query}`).set('apitoken', key).expect(200);
  return (reply.body as { items: { description: string }[] }).items[0]?.description;
}

it('asks the service each time unless the connection says otherwise', async () => {
  await connect(0);
  listsCenters();
  expect([await center(), await center()]).toEqual(['Asked 1', 'Asked 2']);
});

it('answers what was read a moment ago, in any form, and says when it is the same', async () => {
  await connect(60_000);
  listsCenters();
  expect([await center(), await center(), await center('?$skip=1')]).toEqual([
    'Asked 1',
    'Asked 1',
    'Asked 2',
  ]);
  const xml = await testing.http.get('/v1/costcenters').set({ apitoken: key, accept: 'application/xml' });
  expect(String(xml.text ?? xml.body)).toContain('Asked 1');
  const again = { apitoken: key, accept: 'application/xml', 'if-none-match': xml.headers['etag'] ?? '' };
  expect((await testing.http.get('/v1/costcenters').set(again)).status).toBe(304);
});

it('asks anew once something was written through it, also when the answer to that was lost', async () => {
  await connect(60_000);
  listsCenters();
  await center();
  const rename = () =>
    testing.http
      .put(`/v1/costcenters/${newId()}`)
      .set({ apitoken: key, ...JSON_TYPE })
      .send('{"description":"Other"}');
  expect((await rename()).status).toBe(204);
  expect(await center()).toBe('Asked 2');
  const { answer } = stub;
  stub.answer = (response, request, socket) => {
    if (request.method === 'PUT') socket.destroy();
    else answer(response, request, socket);
  };
  expect(refusalOf(await rename())).toMatch(/outcome-unknown/);
  expect(await center()).toBe('Asked 3');
});

it('does not keep what went wrong', async () => {
  await connect(60_000);
  stub.replies(404, '{"error":"not-found"}', JSON_TYPE);
  const path = `/v1/schedules/categories/${newId()}`;
  const read = () => testing.http.get(path).set('apitoken', key);
  expect(refusalOf(await read())).toBe('404 not-found');
  stub.replies(500);
  expect(refusalOf(await read())).toBe('502 finance-misbehaved');
  stub.replies(404, '{"error":"not-found"}', JSON_TYPE);
  expect(refusalOf(await read())).toBe('404 not-found');
});
