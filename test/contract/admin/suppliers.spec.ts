import { cpfNumber } from '../../support/documents';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient } from '../../support/operators-client';
import { TestService } from '../../support/service';

let service: TestService;
let client: OperatorsClient;

beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
});
afterAll(() => service.stop());

const PADARIA = {
  name: 'Padaria',
  email: 'caixa@example.com',
  document: { number: '12.ABC.345/01DE-35' },
  address: { line1: 'Rua A', zipCode: '01310-100', country: 'Brasil' },
};

describe('suppliers', () => {
  it('are registered and read in full', async () => {
    const reply = await client.send('post', '/suppliers', PADARIA);
    expect(reply.status).toBe(201);
    const shown = {
      id: expect.any(String) as string,
      name: 'Padaria',
      email: 'caixa@example.com',
      phone: null,
      document: { number: '12ABC34501DE35', type: 'Cnpj' },
      communication: {},
      address: { line1: 'Rua A', zipCode: '01310-100', country: 'Brasil' },
      bankAccountInformation: {},
      companyInformation: {},
      type: 'supplier',
      createdAt: expect.any(String) as string,
      deleted: false,
    };
    expect(reply.body).toEqual(shown);
    const { id } = reply.body as { id: string };
    expect((await client.send('get', `/suppliers/${id}`)).body).toEqual(shown);
    expect(await client.items('/suppliers')).toEqual([shown]);
  });

  it('leave the names of their fields in the audit log, and nothing of what is in them', async () => {
    const id = await client.make('/suppliers', { ...PADARIA, reason: 'bread' });
    expect(await client.lastAudit()).toEqual({
      action: 'supplier.create',
      subject: id,
      before: null,
      after: { fields: ['address', 'document', 'email', 'name'], deleted: false },
      reason: 'bread',
    });
    await client.send('patch', `/suppliers/${id}`, { email: 'novo@example.com' });
    expect(await client.lastAudit()).toEqual({
      action: 'supplier.change',
      subject: id,
      before: { deleted: false },
      after: { fields: ['email'], deleted: false },
      reason: null,
    });
    const log = (await client.send('get', '/audit')).text;
    expect(log).not.toMatch(/example\.com|12ABC|Padaria|Rua A/);
  });

  it('change in what a PATCH brings; null clears, an object replaces', async () => {
    const id = await client.make('/suppliers', PADARIA);
    const reply = await client.send('patch', `/suppliers/${id}`, {
      email: null,
      phone: '11 4000-0000',
      address: { city: 'Campinas' },
      bankAccountInformation: { bank: '341' },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ name: 'Padaria', email: null, phone: '11 4000-0000' });
    const { address, bankAccountInformation, document } = reply.body as Record<string, unknown>;
    expect([address, bankAccountInformation, document]).toEqual([
      { city: 'Campinas' },
      { bank: '341' },
      { number: '12ABC34501DE35', type: 'Cnpj' },
    ]);
    expect((await client.send('patch', `/suppliers/${id}`, { document: null })).body).toMatchObject({
      document: {},
    });
  });

  it.each([
    [{}, '422 validation-failed /name'],
    [{ name: 'A', document: { number: '111.111.111-11' } }, '422 validation-failed /document/number'],
    [{ name: 'A', address: { ibgeCode: '12' } }, '422 validation-failed /address/ibgeCode'],
    [{ name: 'A\u0007' }, '422 validation-failed /name'],
  ])('are not made of %j', async (body, refusal) => {
    expect(refusalOf(await client.send('post', '/suppliers', body))).toBe(refusal);
  });

  it('have a foreign document only while they are abroad', async () => {
    const id = await client.make('/suppliers', {
      name: 'Ana',
      document: { number: '9.123.456-7' },
      address: { country: 'Uruguay' },
    });
    expect((await client.send('get', `/suppliers/${id}`)).body).toMatchObject({
      document: { number: '91234567', type: 'Foreign' },
    });
    const moved = await client.send('patch', `/suppliers/${id}`, { address: { country: 'Brasil' } });
    expect(refusalOf(moved)).toBe('422 validation-failed /document/number');
  });

  it('are one for a document, deleted or not', async () => {
    const id = await client.make('/suppliers', PADARIA);
    const again = await client.send('post', '/suppliers', { ...PADARIA, name: 'Another' });
    expect(refusalOf(again)).toBe('409 conflict');
    expect(again.body).toMatchObject({ supplierId: id, deleted: false });

    expect((await client.send('delete', `/suppliers/${id}`)).status).toBe(204);
    expect(refusalOf(await client.send('delete', `/suppliers/${id}`))).toBe('404 not-found');
    expect((await client.send('post', '/suppliers', PADARIA)).body).toMatchObject({
      supplierId: id,
      deleted: true,
    });
    expect(await client.items('/suppliers')).toEqual([]);
    expect(await client.items('/suppliers?deleted=true')).toMatchObject([{ id, deleted: true }]);

    expect(refusalOf(await client.send('patch', `/suppliers/${id}`, { name: 'B' }))).toBe('409 conflict');
    const revived = await client.send('patch', `/suppliers/${id}`, { deleted: false, name: 'B' });
    expect([revived.status, revived.body]).toMatchObject([200, { id, name: 'B', deleted: false }]);
    expect(await client.lastAudit()).toMatchObject({ before: { deleted: true }, after: { deleted: false } });
  });

  it('do not take the document of another', async () => {
    const id = await client.make('/suppliers', PADARIA);
    const other = await client.make('/suppliers', { name: 'Other', document: { number: cpfNumber(7) } });
    const reply = await client.send('patch', `/suppliers/${other}`, { document: PADARIA.document });
    expect(refusalOf(reply)).toBe('409 conflict');
    expect(reply.body).toMatchObject({ supplierId: id });
  });

  it('are made once, however many ask at once', async () => {
    const replies = await Promise.all([1, 2, 3, 4].map(() => client.send('post', '/suppliers', PADARIA)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await client.items('/suppliers')).toHaveLength(1);
  });

  it.each([
    ['name=Padaria', 1],
    ['name=padaria', 0],
    ['document=12.ABC.345/01DE-35', 1],
    ['document=12abc34501de35', 1],
    ['email=caixa@example.com', 1],
    ['email=x', 0],
  ])('are found by %s: %i', async (query, count) => {
    await client.make('/suppliers', PADARIA);
    expect(await client.items(`/suppliers?${query}`)).toHaveLength(count);
  });

  it('are strangers to every other organization, and customers are no suppliers', async () => {
    const id = await client.make('/suppliers', PADARIA);
    const other = await OperatorsClient.of(service);
    for (const method of ['get', 'patch', 'delete'] as const)
      expect(
        refusalOf(await other.send(method, `/suppliers/${id}`, method === 'patch' ? {} : undefined)),
      ).toBe('404 not-found');
    await other.make('/suppliers', PADARIA);
    const customer = (await client.finance('post', '/customers', PADARIA)).body as string;
    expect(refusalOf(await client.send('get', `/suppliers/${customer}`))).toBe('404 not-found');
  });
});

describe('customers and accounts, read back', () => {
  it('customers show everything that was sent', async () => {
    const id = (await client.finance('post', '/customers', PADARIA)).body as string;
    const shown = (await client.send('get', `/customers/${id}`)).body as object;
    expect(shown).toMatchObject({
      id,
      name: 'Padaria',
      email: 'caixa@example.com',
      document: { number: '12ABC34501DE35', type: 'Cnpj' },
      address: { line1: 'Rua A', zipCode: '01310-100' },
      type: 'customer',
      deleted: false,
    });
    expect(await client.items('/customers?document=12ABC34501DE35')).toEqual([shown]);
    expect(await (await OperatorsClient.of(service)).items('/customers')).toEqual([]);
    expect(refusalOf(await (await OperatorsClient.of(service)).send('get', `/customers/${id}`))).toBe(
      '404 not-found',
    );
  });

  it('accounts show every field, those of virtual accounts too', async () => {
    const bankId = await client.make('/banks', { code: '341', name: 'Itaú' });
    const id = (
      await client.finance('post', '/accounts', {
        name: 'Caixa',
        bankId,
        openBalance: -12.5,
        dateOfOpenBalance: '2026-01-31',
        bankAgency: '0001',
        bankAccount: '12345',
        bankAccountVerificationNumber: 7,
        type: 'checking',
        virtualAccountDetails: {
          exibitionName: 'Loja',
          configuration: { bankSlip: { enableFines: true, latePaymentFinePercent: 1.5 } },
        },
      })
    ).body as string;
    const shown = {
      id,
      code: null,
      name: 'Caixa',
      bankId,
      openBalance: '-12.50',
      currency: 'BRL',
      dateOfOpenBalance: '2026-01-31',
      bankAgency: '0001',
      bankAccount: '12345',
      bankAccountVerificationNumber: 7,
      type: 'checking',
      virtualAccountDetails: {
        exibitionName: 'Loja',
        configuration: { bankSlip: { enableFines: true, latePaymentFinePercent: 1.5 } },
      },
      createdAt: expect.any(String) as string,
    };
    expect((await client.send('get', `/accounts/${id}`)).body).toEqual(shown);
    expect(await client.items(`/accounts?bankId=${bankId}`)).toEqual([shown]);
    expect(await client.items('/accounts?name=Other')).toEqual([]);
    expect(refusalOf(await (await OperatorsClient.of(service)).send('get', `/accounts/${id}`))).toBe(
      '404 not-found',
    );
  });
});
