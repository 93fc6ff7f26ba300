import type { Response } from 'supertest';
import { newId } from '../../../src/kernel/identifier';
import { Books } from '../../support/books';
import { cpfNumber } from '../../support/documents';
import { expectDone, idOf, problemOf, refusalOf, FinanceClient } from '../../support/finance-client';
import type { TestingApp } from '../../support/testing-app';

let testing: TestingApp;
let client: FinanceClient;
let books: Books;
let accountId: string;

beforeAll(async () => {
  testing = await FinanceClient.serve();
});
beforeEach(async () => {
  client = await FinanceClient.of(testing);
  books = new Books(client.company);
  accountId = idOf(
    await client.send(
      'post',
      '/accounts',
      '{"name":"Conta","openBalance":100,"dateOfOpenBalance":"2026-03-01","bankAgency":"0001","type":"Checking"}',
    ),
  );
});
afterAll(() => client.company.verify());
afterAll(() => testing.close());

function put(json: string, id = accountId): Promise<Response> {
  return client.send('put', `/accounts/${id}`, json);
}

function row() {
  return testing.database.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
}

function openings() {
  const where = { debitId: accountId, kind: { in: ['opening', 'reversal'] as ('opening' | 'reversal')[] } };
  return testing.database.prisma.entry.count({ where });
}

describe('9. PUT /accounts/{AccountId}', () => {
  it('replaces what the body brings and keeps the rest', async () => {
    const bank = await testing.database.prisma.bank.findFirstOrThrow({
      where: { organizationId: client.company.organization.id, code: '341' },
    });
    expectDone(
      await put(
        `{"accountId":"${accountId.toUpperCase()}","bankId":"${bank.id}","name":"Conta nova","bankAccount":"777",
          "bankAccountVerificationNumber":9}`,
      ),
    );
    expect(await row()).toMatchObject({
      name: 'Conta nova',
      bankId: bank.id,
      agency: '0001',
      number: '777',
      verificationNumber: 9,
      type: 'Checking',
      openBalanceMinor: 10_000n,
      openedOn: new Date('2026-03-01'),
    });
    expect(await books.balance(accountId)).toBe(10_000n);
  });

  it('clears what is null', async () => {
    await put('{"bankAccount":"777","bankAccountVerificationNumber":9}');
    expectDone(
      await put(
        '{"bankId":null,"bankAgency":null,"bankAccount":null,"bankAccountVerificationNumber":null,"type":""}',
      ),
    );
    expect(await row()).toMatchObject({
      name: 'Conta',
      bankId: null,
      agency: null,
      number: null,
      verificationNumber: null,
      type: null,
    });
  });

  it('changes nothing with an empty object', async () => {
    const before = await row();
    expectDone(await put('{}'));
    expect(await row()).toEqual(before);
  });

  it.each([
    ['more', '{"openBalance":150.25}', 15_025n],
    ['a debt', '{"openBalance":-20}', -2_000n],
    ['nothing', '{"openBalance":0}', 0n],
    ['null', '{"openBalance":null}', 0n],
  ])('books an opening balance of %s', async (_name, json, minor) => {
    expectDone(await put(json));
    expect(await row()).toMatchObject({ openBalanceMinor: minor });
    expect(await books.balance(accountId)).toBe(minor);
  });

  it('books an opening balance again and again', async () => {
    for (const value of [-5, 0, 12.5, 12.5, 100])
      expectDone(await put(`{"openBalance":${value},"dateOfOpenBalance":"2026-02-01"}`));
    expect(await row()).toMatchObject({ openBalanceMinor: 10_000n, openedOn: new Date('2026-02-01') });
    expect(await books.balance(accountId)).toBe(10_000n);
  });

  it('books nothing when the opening stays what it is', async () => {
    const before = await openings();
    expectDone(await put('{"openBalance":100.00,"dateOfOpenBalance":"2026-03-01"}'));
    expect(await openings()).toBe(before);
  });

  it('moves the opening entry with the date', async () => {
    expectDone(await put('{"dateOfOpenBalance":"2026-04-01"}'));
    expect(await row()).toMatchObject({ openedOn: new Date('2026-04-01'), openBalanceMinor: 10_000n });
    expect(await books.balance(accountId)).toBe(10_000n);
    const body = `{"accountId":"${accountId}","value":1,"date":"2026-03-31"}`;
    expect(refusalOf(await client.send('post', '/payments', body))).toBe('422 before-opening-date /date');
  });

  it.each(['payments', 'receipts'])('opens no account after its %s', async (path) => {
    const body = `{"accountId":"${accountId}","value":1,"date":"2026-03-10"}`;
    idOf(await client.send('post', `/${path}`, body));
    expectDone(await put('{"dateOfOpenBalance":"2026-03-10"}'));
    const message = 'there is a payment or receipt of 2026-03-10, before 2026-03-11';
    expect(problemOf(await put('{"name":"B","dateOfOpenBalance":"2026-03-11"}'))['errors']).toEqual([
      { pointer: '/dateOfOpenBalance', code: 'after-movement', message },
    ]);
    expect(await row()).toMatchObject({ name: 'Conta', openedOn: new Date('2026-03-10') });
    expectDone(await put('{"dateOfOpenBalance":"2026-01-01"}'));
  });

  it('does not mind a payment that was taken back, nor a transfer', async () => {
    const schedule = await books.payable();
    const payment = await books.pay(schedule, accountId, 100n);
    const main = await client.idByCode('account', 'main');
    const transfer = `{"originAccountId":"${accountId}","destinyAccountId":"${main}","date":"2026-03-02","value":1}`;
    expectDone(await client.send('post', '/accounts/transfer', transfer));
    expect(refusalOf(await put('{"dateOfOpenBalance":"2026-05-01"}'))).toMatch(/\/dateOfOpenBalance$/);
    expectDone(
      await testing.http
        .delete(`/v1/schedules/debit/${schedule}/payments/${payment}`)
        .set('apitoken', client.key),
    );
    expectDone(await put('{"dateOfOpenBalance":"2026-05-01"}'));
  });

  it('merges the details of a virtual account, and makes it an ordinary one with null', async () => {
    const cpf = cpfNumber(5);
    const first = await put(
      `{"virtualAccountDetails":{"exibitionName":"Loja","phone":"1","responsibleCpf":"${cpf}",
        "address":{"address":"Rua A, 1","city":"Santos","state":"SP","isValid":true},
        "configuration":{"bankSlip":{"enableFines":true,"latePaymentFinePercent":1.5}}}}`,
    );
    expectDone(first);
    expect(first.headers['x-ignored-fields']).toBe('virtualAccountDetails.address.isValid');
    expect((await row()).virtualDetails).toMatchObject({ address: { isValid: false } });
    expectDone(
      await put(
        `{"virtualAccountDetails":{"phone":null,"name":"Loja SA","address":{"cep":"11010-000"},
          "configuration":{"bankSlip":{"enableFines":false}}}}`,
      ),
    );
    expect((await row()).virtualDetails).toEqual({
      exibitionName: 'Loja',
      responsibleCpf: cpf,
      name: 'Loja SA',
      address: { address: 'Rua A, 1', city: 'Santos', state: 'SP', cep: '11010-000', isValid: true },
      configuration: { bankSlip: { enableFines: false, latePaymentFinePercent: 1.5 } },
    });
    expectDone(await put('{"virtualAccountDetails":{"address":{"city":null},"configuration":null}}'));
    expect((await row()).virtualDetails).toEqual({
      exibitionName: 'Loja',
      responsibleCpf: cpf,
      name: 'Loja SA',
      address: { address: 'Rua A, 1', state: 'SP', cep: '11010-000', isValid: false },
    });
    expect((await client.get('/accounts')).body).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ id: accountId, isVirtual: true })]) as unknown,
    });
    expectDone(await put('{"virtualAccountDetails":null}'));
    expect((await row()).virtualDetails).toBeNull();
  });

  it('takes references to what the organization has', async () => {
    const { organization } = client.company;
    const main = await client.idByCode('account', 'main');
    const { id } = await testing.database.prisma.category.findFirstOrThrow({
      where: { organizationId: organization.id },
    });
    expectDone(
      await put(
        `{"virtualAccountDetails":{"accountToTransfer":{"accountWithDrawId":"${main}","type":"Savings"},
          "configuration":{"tax":{"stakeholderId":"${await books.supplier()}","categoryId":"${id}"}}}}`,
      ),
    );
  });

  it.each([
    ['{"name":null}', '422 validation-failed /name'],
    ['{"name":" "}', '422 validation-failed /name'],
    ['{"dateOfOpenBalance":null}', '422 validation-failed /dateOfOpenBalance'],
    ['{"openBalance":"1.000"}', '422 validation-failed /openBalance'],
    [`{"accountId":"${newId()}"}`, '422 validation-failed /accountId'],
    [`{"bankId":"${newId()}"}`, '422 validation-failed /bankId'],
    [
      `{"virtualAccountDetails":{"accountToTransfer":{"accountWithDrawId":"${newId()}"}}}`,
      '422 validation-failed /virtualAccountDetails/accountToTransfer/accountWithDrawId',
    ],
    [
      `{"virtualAccountDetails":{"configuration":{"tax":{"stakeholderId":"${newId()}"}}}}`,
      '422 validation-failed /virtualAccountDetails/configuration/tax/stakeholderId',
    ],
    [
      `{"virtualAccountDetails":{"configuration":{"tax":{"categoryId":"${newId()}"}}}}`,
      '422 validation-failed /virtualAccountDetails/configuration/tax/categoryId',
    ],
    ...['2.01', '-0.01', '"1,5"', 'true', '{}'].map((percent) => [
      `{"virtualAccountDetails":{"configuration":{"bankSlip":{"latePaymentFinePercent":${percent}}}}}`,
      '422 validation-failed /virtualAccountDetails/configuration/bankSlip/latePaymentFinePercent',
    ]),
  ])('refuses %s and changes nothing', async (json, refusal) => {
    const before = await row();
    expect(refusalOf(await put(json))).toBe(refusal);
    expect(await row()).toEqual(before);
    expect(await books.balance(accountId)).toBe(10_000n);
  });

  it('knows no account of another organization, nor one that is not there', async () => {
    const stranger = new Books((await FinanceClient.of(testing)).company);
    for (const id of [await stranger.account(), newId(), 'main'])
      expect(refusalOf(await put('{"name":"Mine"}', id))).toBe('404 not-found');
  });

  it('stays whole when many change it at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put(`{"openBalance":${index + 1}}`)),
    );
    replies.forEach(expectDone);
    expect(await books.balance(accountId)).toBe((await row()).openBalanceMinor);
  });
});
