import { newId } from '../../../src/kernel/identifier';
import { Company } from '../../support/company';
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
afterAll(() => client.company.verify());
afterAll(() => testing.close());

describe('17. GET /schedules/categories/{CategoryId}', () => {
  it('answers with the category and its group', async () => {
    const id = await client.idByCode('category', '1.1.01');
    const { groupId } = await testing.database.prisma.category.findUniqueOrThrow({ where: { id } });
    const reply = await client.get(`/schedules/categories/${id}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      id,
      name: 'Vendas online',
      referenceCode: '1.1.01',
      type: 'in',
      group: { id: groupId, name: 'Receitas de vendas', referenceCode: '1.1' },
    });
  });

  it('knows no category of another organization', async () => {
    const stranger = await Company.found(testing.database);
    const theirs = await testing.database.prisma.category.findFirstOrThrow({
      where: { organizationId: stranger.organization.id },
    });
    expect(refusalOf(await client.get(`/schedules/categories/${theirs.id}`))).toBe('404 not-found');
    expect(refusalOf(await client.get(`/schedules/categories/${newId()}`))).toBe('404 not-found');
  });
});
