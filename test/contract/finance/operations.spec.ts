import { SERVED } from '../../../src/finance/api/operations/operations';
import { newId } from '../../../src/kernel/identifier';
import { openBooks } from '../../support/books-of-one';
import { refusalOf, FinanceClient } from '../../support/finance-client';
import { CASES } from '../../support/operation-cases';
import type { TestingApp } from '../../support/testing-app';

let testing: TestingApp;
let client: FinanceClient;

beforeAll(async () => {
  testing = await FinanceClient.serve();
});
beforeEach(async () => {
  client = await FinanceClient.of(testing);
});
afterAll(() => client.company.verify());
afterAll(() => testing.close());

describe('every operation', () => {
  const concrete = (path: string): string => `/v1${path.replace(/\{\w+\}/g, newId())}`;

  it.each(SERVED.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s needs a key',
    async (_name, row) => {
      const reply = await testing.http[row.method.toLowerCase() as 'get'](concrete(row.path));
      expect(refusalOf(reply)).toBe('401 key-missing');
    },
  );

  it.each(SERVED.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s needs its scope',
    async (_name, row) => {
      const other = await testing.makeKey(
        client.company.organization,
        row.effect === 'read' ? 'finance:write' : 'finance:read',
      );
      const reply = await testing.http[row.method.toLowerCase() as 'get'](concrete(row.path)).set(
        'apitoken',
        other.key,
      );
      expect(refusalOf(reply)).toBe('403 scope-missing');
    },
  );

  const NAMING = SERVED.flatMap((row) =>
    (CASES[row.id].inPath ?? []).map((field) => [`${row.method} ${row.path}`, field, row] as const),
  );

  it.each(NAMING)('%s finds no %s by what is no UUID', async (_name, field, { id, method }) => {
    const { names, company } = await openBooks(testing, 'OWN');
    const { key } = await testing.makeKey(company.organization, 'finance:read', 'finance:write');
    for (const text of ['x', '%2e%2e', '%2e', '%2F', `${names[field]}%20`]) {
      const { path, body } = CASES[id].request({ ...names, [field]: text });
      const request = testing.http[method.toLowerCase() as 'put'](`/v1${path}`).set('apitoken', key);
      expect(refusalOf(await (body ? request.send(body) : request))).toBe('404 not-found');
    }
    const { path, body } = CASES[id].request({ ...names, [field]: names[field].toUpperCase() });
    const request = testing.http[method.toLowerCase() as 'put'](`/v1${path}`).set('apitoken', key);
    expect((await (body ? request.send(body) : request)).status).toBeLessThan(300);
  });
});
