import { newId } from '../../../src/kernel/identifier';
import { Company } from '../../support/company';
import { expectDone, refusalOf, FinanceClient, type PageOf } from '../../support/finance-client';
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

describe('6. PUT /costcenters/{CostCenterId} and 14. GET /costcenters', () => {
  it('changes what the body brings and lists it', async () => {
    const costCenterId = await client.idByCode('costCenter', 'geral');
    expectDone(await client.send('put', `/costcenters/${costCenterId}`, '{"description":"Matriz"}'));
    const list = await client.get('/costcenters');
    expect(list.status).toBe(200);
    expect(list.text).toBe(
      `{"items":[{"costCenterId":"${costCenterId}","description":"Matriz","externalCode":"geral"}],"nextPageLink":null,"count":1}`,
    );
    expectDone(
      await client.send(
        'put',
        `/costcenters/${costCenterId}`,
        `{"costCenterId":"${costCenterId}","externalCode":null}`,
      ),
    );
    expect((await client.get('/costcenters')).body).toMatchObject({
      items: [{ costCenterId, description: 'Matriz' }],
    });
  });

  it('takes a body that changes nothing', async () => {
    const id = await client.idByCode('costCenter', 'geral');
    expectDone(await client.send('put', `/costcenters/${id}`, '{}'));
    expectDone(await client.send('put', `/costcenters/${id}`, `{"costCenterId":"${id}"}`));
  });

  it('refuses what does not fit', async () => {
    const id = await client.idByCode('costCenter', 'geral');
    const stranger = await Company.found(testing.database);
    const theirs = await testing.database.prisma.costCenter.findFirstOrThrow({
      where: { organizationId: stranger.organization.id },
    });
    const put = async (path: string, json: string) =>
      refusalOf(await client.send('put', `/costcenters/${path}`, json));
    expect(await put(id, `{"costCenterId":"${newId()}"}`)).toBe('422 validation-failed /costCenterId');
    expect(await put(id, '{"description":null}')).toBe('422 validation-failed /description');
    expect(await put(theirs.id, '{"description":"mine"}')).toBe('404 not-found');
    expect(await put(newId(), '{}')).toBe('404 not-found');
    await testing.database.prisma.costCenter.create({
      data: {
        id: newId(),
        organizationId: client.company.organization.id,
        description: 'B',
        externalCode: 'b',
      },
    });
    expect(await put(id, '{"externalCode":"b"}')).toBe('409 conflict');
  });

  it('pages with links that work as they stand', async () => {
    const organizationId = client.company.organization.id;
    await testing.database.prisma.costCenter.createMany({
      data: Array.from({ length: 4 }, (_, index) => ({
        id: newId(),
        organizationId,
        description: `C${index}`,
      })),
    });
    const seen: string[] = [];
    let body = (await client.get(`/costcenters?$Top=2&Organization=${organizationId}`)).body as PageOf<{
      description: string;
    }>;
    for (;;) {
      expect(body.count).toBe(5);
      expect(body.items.length).toBeLessThanOrEqual(2);
      seen.push(...body.items.map(({ description }) => description));
      if (body.nextPageLink === null) break;
      body = await client.follow(body.nextPageLink);
    }
    expect(seen).toEqual(['Geral', 'C0', 'C1', 'C2', 'C3']);
  });

  it('refuses a page that cannot be read', async () => {
    expect(refusalOf(await client.get('/costcenters?$top=-1'))).toBe('400 malformed-request');
    expect(refusalOf(await client.get('/costcenters?$skip=x'))).toBe('400 malformed-request');
  });
});
