import { OPERATIONS } from '../../../src/finance/operations';
import { newId } from '../../../src/kernel/identifier';
import { refusalOf, FinanceClient } from '../../support/finance-client';
import type { TestingApp } from '../../support/testing-app';

let testing: TestingApp;
let client: FinanceClient;

beforeAll(async () => {
  testing = await FinanceClient.serve();
});
beforeEach(async () => {
  client = await FinanceClient.of(testing);
});
afterEach(() => client.company.verify());
afterAll(() => testing.close());

describe('every operation', () => {
  const concrete = (path: string): string => `/v1${path.replace(/\{\w+\}/g, newId())}`;

  it.each(OPERATIONS.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s needs a key',
    async (_name, row) => {
      const reply = await testing.http[row.method.toLowerCase() as 'get'](concrete(row.path));
      expect(refusalOf(reply)).toBe('401 key-missing');
    },
  );

  it.each(OPERATIONS.map((row) => [`${row.method} ${row.path}`, row] as const))(
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
});
