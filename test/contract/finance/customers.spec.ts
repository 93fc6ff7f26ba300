import { cpfNumber } from '../../support/documents';
import { idOf, problemOf, refusalOf, FinanceClient } from '../../support/finance-client';
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

describe('1. POST /customers', () => {
  it('registers a customer with everything the interface knows', async () => {
    const reply = await client.send(
      'post',
      '/customers',
      `{
        "name": " Padaria Pão Quente ", "email": "caixa@example.com", "phone": "+55 11 4000-0000",
        "document": { "number": "12.ABC.345/01DE-35" },
        "communication": { "contactName": "Lia", "cellPhone": "11 99999-0000", "webSite": "https://example.com" },
        "address": { "line1": "Rua A", "number": 12, "city": "São Paulo", "state": "SP", "zipCode": "01310-100",
          "country": "Brasil", "ibgeCode": "3550308" },
        "bankAccountInformation": { "bank": "341", "agency": "0001", "accountNumber": "12345-6" },
        "companyInformation": { "companyName": "Padaria Pão Quente Ltda.", "municipalInscription": "1.234" }
      }`,
    );
    const id = idOf(reply);
    const row = await testing.database.prisma.stakeholder.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({
      organizationId: client.company.organization.id,
      kind: 'customer',
      name: 'Padaria Pão Quente',
      document: '12ABC34501DE35',
      documentType: 'Cnpj',
      details: {
        address: { number: 12, zipCode: '01310-100', ibgeCode: '3550308' },
        bankAccountInformation: { bank: '341', agency: '0001', accountNumber: '12345-6' },
      },
    });
  });

  it('is also reached with a trailing /FormatType=json', async () => {
    idOf(await client.send('post', '/customers/FormatType=json', '{"name":"Lia"}'));
  });

  it('answers a second customer with one document with the first', async () => {
    const body = JSON.stringify({ name: 'Lia', document: { number: cpfNumber(3) } });
    const customerId = idOf(await client.send('post', '/customers', body));
    const second = await client.send('post', '/customers', body.replace('Lia', 'Rui'));
    expect(problemOf(second)).toEqual({
      type: 'urn:ponte:problem:customer-exists',
      title: 'A customer with this document exists',
      status: 409,
      detail: 'a customer with this document is registered already',
      error: 'customer-exists',
      error_description: 'a customer with this document is registered already',
      customerId,
    });
  });

  it('ignores what it does not know and what only the service sets, and says so', async () => {
    const reply = await client.send(
      'post',
      '/customers',
      `{"id":"1","name":"Lia","nickname":"L","document":{"number":"${cpfNumber(4)}","type":"Foreign"},"__proto__":{"x":1}}`,
    );
    expect(reply.headers['x-ignored-fields']).toBe('id, nickname, __proto__, document.type');
    const row = await testing.database.prisma.stakeholder.findUniqueOrThrow({ where: { id: idOf(reply) } });
    expect(row.documentType).toBe('Cpf');
  });

  it.each([
    ['{}', '422 validation-failed /name'],
    ['{"name":null}', '422 validation-failed /name'],
    ['{"name":"   "}', '422 validation-failed /name'],
    ['{"name":7}', '422 validation-failed /name'],
    ['{"name":"a\\u0007b"}', '422 validation-failed /name'],
    [`{"name":"${'x'.repeat(501)}"}`, '422 validation-failed /name'],
    ['{"name":"Lia","document":{"number":"123.456.789-00"}}', '422 validation-failed /document/number'],
    ['{"name":"Lia","document":"1"}', '422 validation-failed /document'],
    ['{"name":"Lia","address":{"number":1.5}}', '422 validation-failed /address/number'],
    ['{"name":"Lia","address":{"ibgeCode":"355030"}}', '422 validation-failed /address/ibgeCode'],
    ['{"email":1,"phone":2}', '422 validation-failed /email /phone /name'],
    ['[]', '422 validation-failed '],
    ['{"name":', '400 malformed-request'],
    ['', '400 malformed-request'],
    ['{"name":"Lia","name":"Ana"}', '400 malformed-request'],
    ['{"name":"Lia","address":{"city":"Santos","city":"Recife"}}', '400 malformed-request'],
  ])('refuses %s', async (json, refusal) => {
    const reply = await client.send('post', '/customers', json);
    const [status, code, ...pointers] = refusalOf(reply).split(' ');
    const [expectedStatus, expectedCode, ...expectedPointers] = refusal.split(' ');
    expect([status, code, pointers.sort()]).toEqual([expectedStatus, expectedCode, expectedPointers.sort()]);
  });

  it('takes a foreign document with an address abroad', async () => {
    const foreign = (country: string) =>
      client.send(
        'post',
        '/customers',
        `{"name":"Ana","document":{"number":"9.123.456-7"},"address":{"country":"${country}"}}`,
      );
    expect(refusalOf(await foreign('Brazil'))).toBe('422 validation-failed /document/number');
    const id = idOf(await foreign('Uruguay'));
    const row = await testing.database.prisma.stakeholder.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ document: '91234567', documentType: 'Foreign' });
  });
});
