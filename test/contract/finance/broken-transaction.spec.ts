import { FinanceClient, idOf, refusalOf } from '../../support/finance-client';
import type { TestingApp } from '../../support/testing-app';

let testing: TestingApp;
let client: FinanceClient;

beforeAll(async () => {
  testing = await FinanceClient.serve();
  client = await FinanceClient.of(testing);
});
afterAll(() => testing.close());

it('a transaction that breaks at its very end leaves the Idempotency-Key free', async () => {
  const { prisma } = testing.database;
  const where = { organizationId: client.company.organization.id };
  const send = () =>
    testing.http
      .post('/v1/customers')
      .set({ apitoken: client.key, 'idempotency-key': 'k' })
      .send({ name: 'Lia Campos' });
  await prisma.$executeRaw`create function break_off() returns trigger language plpgsql
    as $$ begin raise exception 'broken off'; end $$`;
  await prisma.$executeRaw`create constraint trigger break_off after insert on stakeholder
    deferrable initially deferred for each row execute function break_off()`;
  expect(refusalOf(await send())).toBe('500 internal-error');
  await prisma.$executeRaw`drop trigger break_off on stakeholder`;
  expect(await prisma.stakeholder.count({ where })).toBe(0);
  expect(await prisma.idempotencyRecord.count({ where })).toBe(0);
  const reply = await send();
  idOf(reply);
  expect(reply.headers).not.toHaveProperty('idempotency-replayed');
});
