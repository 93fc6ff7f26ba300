import { Module } from '@nestjs/common';
import type { Response } from 'supertest';
import { AuditRepository } from '../../../src/admin/audit.repository';
import { KeysController } from '../../../src/admin/keys.controller';
import { Settings } from '../../../src/config/settings';
import {
  OPERATIONS,
  SERVED,
  type Operation,
  type OperationId,
} from '../../../src/finance/api/operations/operations';
import { OperatorKey } from '../../../src/organizations/operator-key';
import { openBooks } from '../../support/books-of-one';
import { FinanceClient, refusalOf } from '../../support/finance-client';
import { CASES } from '../../support/operation-cases';
import type { TestingApp } from '../../support/testing-app';

@Module({ controllers: [KeysController], providers: [AuditRepository] })
class KeysModule {}

type Books = Awaited<ReturnType<typeof openBooks>>;

const ROWS = SERVED.map((row) => [`${row.method} ${row.path}`, row] as const);

let testing: TestingApp;
let books: Books;

function send(row: Operation, headers: object, query = ''): Promise<Response> {
  const { path, body } = CASES[row.id as OperationId].request(books.names);
  const request = testing.http[row.method.toLowerCase() as 'post'](`/v1${path}${query}`).set({ ...headers });
  return Promise.resolve(
    body ? request.set('content-type', 'application/json').send(JSON.stringify(body)) : request,
  );
}

describe('a key that was revoked', () => {
  beforeAll(async () => {
    testing = await FinanceClient.serve({ imports: [KeysModule] });
    books = await openBooks(testing, 'OWN');
  });
  afterAll(() => testing.close());

  it('is refused by every operation at once', async () => {
    const operators = (await testing.app.get(OperatorKey).ensureOperatorKey({})) ?? '';
    const { organization } = books.company;
    const { id, key } = await testing.makeKey(organization, 'finance:read', 'finance:write');
    const credential = { authorization: `Bearer ${key}` };
    expect((await testing.http.get('/v1/accounts').set(credential)).status).toBe(200);
    await testing.http
      .delete(`/admin/organizations/${organization.slug}/keys/${id}`)
      .set('authorization', `Bearer ${operators}`)
      .expect(204);
    for (const [, row] of ROWS) {
      expect(refusalOf(await send(row, credential))).toBe('401 key-invalid');
      expect(refusalOf(await send(row, { apitoken: key }))).toBe('401 key-invalid');
    }
  });
});

describe('where the organization alone suffices', () => {
  beforeAll(async () => {
    testing = await FinanceClient.serve({ env: { FINANCE_AUTH: 'organization' } });
  });
  beforeEach(async () => {
    books = await openBooks(testing, 'OWN');
  });
  afterAll(() => testing.close());

  it('someone said so: the default is a key', () => {
    expect(new Settings({}).financeAuth).toBe('key');
  });

  it.each(ROWS)('%s works without a key, unless it opens an account', async (_name, row) => {
    const reply = await send(row, {}, `?Organization=${books.company.organization.slug}`);
    if (row.id === 'accounts.create') expect(refusalOf(reply)).toBe('401 key-missing');
    else expect(reply.status).toBe(row.status);
  });

  it.each(ROWS)('%s still refuses a wrong key, and no organization', async (_name, row) => {
    const { id } = books.company.organization;
    expect(refusalOf(await send(row, { apitoken: 'wrong' }, `?Organization=${id}`))).toBe('401 key-invalid');
    expect(refusalOf(await send(row, {}))).toBe('401 key-missing');
    const stranger = await testing.makeKey(await testing.makeOrganization(), 'finance:read', 'finance:write');
    expect(refusalOf(await send(row, { apitoken: stranger.key }, `?Organization=${id}`))).toBe(
      '403 organization-mismatch',
    );
  });

  it('an account is opened with a key', async () => {
    const { key } = await testing.makeKey(books.company.organization, 'finance:write');
    const reply = await send(
      OPERATIONS[9],
      {},
      `?apitoken=${key}&Organization=${books.company.organization.id}`,
    );
    expect(reply.status).toBe(200);
  });
});
