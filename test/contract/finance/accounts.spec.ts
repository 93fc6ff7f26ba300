import { newId } from '../../../src/kernel/identifier';
import { cpfNumber } from '../../support/documents';
import { idOf, refusalOf, FinanceClient } from '../../support/finance-client';
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

describe('10. POST /accounts, 15. GET /accounts/views/balance and 16. GET /accounts', () => {
  it('opens an account with its balance, at a bank', async () => {
    const { prisma } = testing.database;
    const bank = await prisma.bank.findFirstOrThrow({
      where: { organizationId: client.company.organization.id, code: '341' },
    });
    const reply = await testing.http
      .post(`/v1/accounts?apitoken=${client.key}`)
      .set('content-type', 'application/json')
      .send(
        `{"bankId":"${bank.id}","name":"Conta Itaú","openBalance":-1500.75,"dateOfOpenBalance":"2026-01-02",
          "bankAgency":"0001","bankAccount":"12345","bankAccountVerificationNumber":6,"type":"Checking"}`,
      );
    const id = idOf(reply);
    const main = await client.idByCode('account', 'main');
    expect((await client.get('/accounts')).body).toEqual({
      items: [
        {
          id: main,
          name: 'Conta principal',
          openBalance: 0,
          dateOfOpenBalance: '2020-01-01T00:00:00-03:00',
          isVirtual: false,
        },
        {
          id,
          name: 'Conta Itaú',
          openBalance: -1500.75,
          dateOfOpenBalance: '2026-01-02T00:00:00-03:00',
          isVirtual: false,
        },
      ],
      nextPageLink: null,
      count: 2,
    });
    expect((await client.get('/accounts/views/balance')).body).toEqual({
      items: [
        { accountId: main, accountName: 'Conta principal', balance: 0, bank: {} },
        {
          accountId: id,
          accountName: 'Conta Itaú',
          balance: -1500.75,
          bank: {
            id: bank.id,
            code: '341',
            name: 'Itaú Unibanco',
            color: '#EC7000',
            scrapingEnabled: false,
            bankNumber: '341',
          },
        },
      ],
      nextPageLink: null,
      count: 2,
    });
  });

  it('opens a virtual account and keeps its details', async () => {
    const cpf = cpfNumber(5);
    const reply = await client.send(
      'post',
      '/accounts',
      `{"name":"Carteira","virtualAccountDetails":{"exibitionName":"Loja","responsibleCpf":"${cpf}",
        "address":{"cep":"01310-100","isValid":true},"configuration":{"bankSlip":{"enableFines":true,"latePaymentFinePercent":2}}}}`,
    );
    expect(reply.headers['x-ignored-fields']).toBe('virtualAccountDetails.address.isValid');
    const row = await testing.database.prisma.account.findUniqueOrThrow({ where: { id: idOf(reply) } });
    expect(row.virtualDetails).toEqual({
      exibitionName: 'Loja',
      responsibleCpf: cpf,
      address: { cep: '01310-100', isValid: false },
      configuration: { bankSlip: { enableFines: true, latePaymentFinePercent: 2 } },
    });
    expect((await client.get('/accounts?$skip=1')).body).toMatchObject({
      items: [{ isVirtual: true }],
      count: 2,
    });
  });

  it.each([
    ['{}', '422 validation-failed /name'],
    ['{"name":"A","openBalance":0.001}', '422 validation-failed /openBalance'],
    [`{"name":"A","bankId":"${newId()}"}`, '422 validation-failed /bankId'],
    [
      '{"name":"A","bankAccountVerificationNumber":2147483648}',
      '422 validation-failed /bankAccountVerificationNumber',
    ],
    [
      '{"name":"A","virtualAccountDetails":{"cpfCnpj":"1"}}',
      '422 validation-failed /virtualAccountDetails/cpfCnpj',
    ],
    [
      '{"name":"A","virtualAccountDetails":{"responsibleCpf":"11222333000181"}}',
      '422 validation-failed /virtualAccountDetails/responsibleCpf',
    ],
    [
      '{"name":"A","virtualAccountDetails":{"address":{"cep":"123"}}}',
      '422 validation-failed /virtualAccountDetails/address/cep',
    ],
    [
      '{"name":"A","virtualAccountDetails":{"configuration":{"bankSlip":{"latePaymentFinePercent":2.01}}}}',
      '422 validation-failed /virtualAccountDetails/configuration/bankSlip/latePaymentFinePercent',
    ],
  ])('refuses %s', async (json, refusal) => {
    expect(refusalOf(await client.send('post', '/accounts', json))).toBe(refusal);
    expect((await client.get('/accounts')).body).toMatchObject({ count: 1 });
  });
});
