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
afterAll(() => testing.close());

async function storedCustomer(json: string) {
  const id = idOf(await client.send('post', '/customers', json));
  return testing.database.prisma.stakeholder.findUniqueOrThrow({ where: { id } });
}

describe('a document', () => {
  it.each([
    ['529.982.247-25', '52998224725', 'Cpf'],
    ['52998224725', '52998224725', 'Cpf'],
    [' 417203958 88 ', '41720395888', 'Cpf'],
    ['11.222.333/0001-81', '11222333000181', 'Cnpj'],
    ['11222333000181', '11222333000181', 'Cnpj'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35', 'Cnpj'],
    ['12abc34501de35', '12ABC34501DE35', 'Cnpj'],
  ])('%s is kept as %s, a %s', async (number, document, documentType) => {
    expect(await storedCustomer(`{"name":"Lia","document":{"number":"${number}"}}`)).toMatchObject({
      document,
      documentType,
    });
  });

  it.each([
    '529.982.247-24',
    '111.111.111-11',
    '99999999999',
    '5299822472',
    'A52998224725',
    '529.982.247-2S',
    '11.222.333/0001-80',
    '00000000000000',
    '11111111111111',
    '12.ABC.345/01DE-36',
    '12.ABD.345/01DE-35',
    '12ABC34501DEAB',
    'passport 12345',
  ])('%s is refused in Brazil', async (number) => {
    const reply = await client.send('post', '/customers', `{"name":"Lia","document":{"number":"${number}"}}`);
    expect(refusalOf(reply)).toBe('422 validation-failed /document/number');
    expect(reply.text).not.toContain(number);
  });

  it('written with and without punctuation is one customer', async () => {
    const first = await client.send(
      'post',
      '/customers',
      '{"name":"A","document":{"number":"12.ABC.345/01DE-35"}}',
    );
    const second = await client.send(
      'post',
      '/customers',
      '{"name":"B","document":{"number":"12abc34501de35"}}',
    );
    expect(problemOf(second)).toMatchObject({ error: 'customer-exists', customerId: idOf(first) });
  });
});

describe('a postcode', () => {
  it.each([
    ['{"zipCode":"01310-100"}', '01310-100'],
    ['{"zipCode":"01310100"}', '01310100'],
    ['{"zipCode":" 00010-000 ","country":""}', '00010-000'],
    ['{"zipCode":"01310100","country":"BR"}', '01310100'],
    ['{"zipCode":"01310100","country":"Brasil"}', '01310100'],
    ['{"zipCode":"01310100","country":null}', '01310100'],
    ['{"zipCode":"SW1A 1AA","country":"United Kingdom"}', 'SW1A 1AA'],
    ['{"zipCode":"0501","country":"Portugal"}', '0501'],
    ['{"zipCode":null}', undefined],
    ['{"zipCode":""}', undefined],
  ])('in %s is kept as %s', async (address, zipCode) => {
    const { details } = await storedCustomer(`{"name":"Lia","address":${address}}`);
    expect((details as { address: { zipCode?: string | null } }).address.zipCode ?? undefined).toBe(zipCode);
  });

  it.each([
    '{"zipCode":"1310-100"}',
    '{"zipCode":"1310100"}',
    '{"zipCode":"013101000"}',
    '{"zipCode":"0131-0100"}',
    '{"zipCode":"01310 100"}',
    '{"zipCode":"01310-10A"}',
    '{"zipCode":"SW1A 1AA"}',
    '{"zipCode":"SW1A 1AA","country":" BRAZIL "}',
    '{"zipCode":"1310100","country":"bra"}',
    '{"zipCode":1310100}',
  ])('in %s is refused', async (address) => {
    const reply = await client.send('post', '/customers', `{"name":"Lia","address":${address}}`);
    expect(refusalOf(reply)).toBe('422 validation-failed /address/zipCode');
  });
});

describe('codes of places and banks', () => {
  it.each([
    ['address', 'ibgeCode', '"3550308"'],
    ['address', 'ibgeCode', '"0000001"'],
    ['bankAccountInformation', 'bank', '"001"'],
    ['bankAccountInformation', 'bank', '"Banco do Brasil"'],
  ])('%s.%s %s are taken', async (object, field, value) => {
    const { details } = await storedCustomer(`{"name":"Lia","${object}":{"${field}":${value}}}`);
    expect((details as Record<string, Record<string, string>>)[object]?.[field]).toBe(JSON.parse(value));
  });

  it.each([
    ['address', 'ibgeCode', '"355030"'],
    ['address', 'ibgeCode', '"35503080"'],
    ['address', 'ibgeCode', '"355030A"'],
    ['address', 'ibgeCode', '3550308'],
    ['bankAccountInformation', 'bank', '"1"'],
    ['bankAccountInformation', 'bank', '"0341"'],
    ['bankAccountInformation', 'bank', '341'],
  ])('%s.%s %s are refused', async (object, field, value) => {
    const reply = await client.send('post', '/customers', `{"name":"Lia","${object}":{"${field}":${value}}}`);
    expect(refusalOf(reply)).toBe(`422 validation-failed /${object}/${field}`);
  });
});

describe('a virtual account', () => {
  const open = (details: string) =>
    client.send('post', '/accounts', `{"name":"Loja","virtualAccountDetails":${details}}`);

  it.each([
    ['{"cpfCnpj":"12.ABC.345/01DE-36"}', '/cpfCnpj'],
    ['{"cpfCnpj":"11111111111"}', '/cpfCnpj'],
    ['{"responsibleCpf":"11.222.333/0001-81"}', '/responsibleCpf'],
    ['{"responsibleCpf":"529.982.247-24"}', '/responsibleCpf'],
    ['{"address":{"cep":"1310-100"}}', '/address/cep'],
    ['{"accountToTransfer":{"bank":"34"}}', '/accountToTransfer/bank'],
    [
      '{"configuration":{"bankSlip":{"latePaymentFinePercent":2.01}}}',
      '/configuration/bankSlip/latePaymentFinePercent',
    ],
    [
      '{"configuration":{"bankSlip":{"latePaymentFinePercent":-0.01}}}',
      '/configuration/bankSlip/latePaymentFinePercent',
    ],
    [
      '{"configuration":{"bankSlip":{"latePaymentFinePercent":"2%"}}}',
      '/configuration/bankSlip/latePaymentFinePercent',
    ],
    [
      '{"configuration":{"bankSlip":{"latePaymentFinePercent":1e400}}}',
      '/configuration/bankSlip/latePaymentFinePercent',
    ],
  ])('with %s is refused', async (details, pointer) => {
    const refusal = refusalOf(await open(details));
    expect(refusal.split(' ')).toEqual(
      expect.arrayContaining(['422', 'validation-failed', `/virtualAccountDetails${pointer}`]),
    );
  });
});

describe('a shop that sends a bad address', () => {
  it('still gets its order booked: only who can be answered is refused', async () => {
    const id = await client.company.customer({
      name: 'Rui',
      address: { zipCode: 'não sei', country: 'Brasil' },
    });
    const { details } = await testing.database.prisma.stakeholder.findUniqueOrThrow({ where: { id } });
    expect(details).toMatchObject({ address: { zipCode: 'não sei' } });
  });
});
