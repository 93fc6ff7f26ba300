import {
  Company,
  customerEffect,
  outputOf,
  receiptEffect,
  scheduleEffect,
} from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { cpfNumber } from '../../../../test/support/documents';
import type { Database } from '../../../database/database';
import { enableStatements, queryInTransaction } from '../../../database/transaction-statements';
import { newId } from '../../../kernel/identifier';
import type { PlannedEffect } from '../../api/effects/effect';

let database: Database;
let company: Company;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  company = await Company.found(database);
});
afterEach(() => company.verify());
afterAll(() => database.close());

const document = cpfNumber(1);

function effectRow(key: string) {
  const organizationId = company.organization.id;
  return database.prisma.effect.findUnique({ where: { organizationId_key: { organizationId, key } } });
}

function stakeholders() {
  return database.prisma.stakeholder.findMany({ where: { organizationId: company.organization.id } });
}

describe('customer.ensure', () => {
  it('makes a customer once for a key', async () => {
    const [first] = await company.apply(customerEffect('c', { document, email: 'lia@example.com' }));
    const [second] = await company.apply(customerEffect('c', { document, email: 'other@example.com' }));
    expect(first).toEqual({ state: 'applied', output: { id: expect.any(String) }, attention: [] });
    expect(second).toEqual({ state: 'existing', output: outputOf(first), attention: [] });
    expect(await stakeholders()).toEqual([
      expect.objectContaining({
        id: outputOf(first).id,
        kind: 'customer',
        document,
        documentType: 'Cpf',
        email: 'lia@example.com',
      }),
    ]);
  });

  it('finds the customer with the same document under another key', async () => {
    const [first] = await company.apply(customerEffect('shop/customer/1', { document }));
    const [second] = await company.apply(customerEffect('erp/customer/9', { document }));
    expect(second).toEqual({ state: 'existing', output: outputOf(first), attention: [] });
    expect((await effectRow('erp/customer/9'))?.output).toEqual(outputOf(first));
    expect(await stakeholders()).toHaveLength(1);
  });

  it('makes one customer of two with one document in a batch', async () => {
    const results = await company.apply(customerEffect('a', { document }), customerEffect('b', { document }));
    expect(outputOf(results[0])).toEqual(outputOf(results[1]));
    expect(await stakeholders()).toHaveLength(1);
  });

  it('does not share customers between organizations', async () => {
    const other = await Company.found(database);
    const [[mine], [theirs]] = [
      await company.apply(customerEffect('c', { document })),
      await other.apply(customerEffect('c', { document })),
    ];
    expect(outputOf(mine).id).not.toBe(outputOf(theirs).id);
  });

  it('makes a customer without a document for each key', async () => {
    await company.apply(customerEffect('guest/1'), customerEffect('guest/2'));
    expect(await stakeholders()).toHaveLength(2);
  });

  it('refuses a wrong document without repeating it, and takes a right one under the same key later', async () => {
    const [refused] = await company.apply(customerEffect('c', { document: '12345678900' }));
    expect(refused).toEqual({
      state: 'refused',
      code: 'validation-failed',
      reason: "the customer's document is not a valid CPF: its check digits do not match",
    });
    expect(await effectRow('c')).toMatchObject({ state: 'refused', output: {} });
    const [applied] = await company.apply(customerEffect('c', { document }));
    expect(applied?.state).toBe('applied');
    expect(await effectRow('c')).toMatchObject({ state: 'applied', reason: null, output: outputOf(applied) });
  });

  it('takes a foreign document only with a foreign address', async () => {
    const [foreign, local] = await company.apply(
      customerEffect('f', { document: 'ab-12.345', address: { country: 'UY' } }),
      customerEffect('l', { document: 'ab-12.345', address: { country: 'Brasil' } }),
    );
    expect(local?.state).toBe('refused');
    const [row] = await stakeholders();
    expect(row).toMatchObject({ id: outputOf(foreign).id, document: 'AB12345', documentType: 'Foreign' });
  });

  it('tidies what a shop sends and keeps a house number that is none in the first line', async () => {
    await company.apply(
      customerEffect('c', {
        name: '  Lia\tCampos\u0000 ',
        email: '   ',
        address: { line1: 'Rua A', number: '12B', zipCode: '01310-100' },
      }),
    );
    const [row] = await stakeholders();
    expect(row).toMatchObject({
      name: 'Lia Campos',
      email: null,
      details: { address: { line1: 'Rua A, 12B', zipCode: '01310-100' } },
    });
  });

  it('refuses a name that is empty or too long', async () => {
    const results = await company.apply(
      customerEffect('a', { name: ' \n ' }),
      customerEffect('b', { name: 'x'.repeat(501) }),
    );
    expect(results).toEqual([
      expect.objectContaining({ state: 'refused', reason: "the customer's name is missing" }),
      expect.objectContaining({
        state: 'refused',
        reason: "the customer's name cannot be used: has more than 500 characters",
      }),
    ]);
  });
});

describe('credit-schedule.create', () => {
  it('makes one open schedule, entered today, in the category and cost center named by code', async () => {
    const customer = await company.customer();
    const [id] = await company.schedules({ customer, category: '1.1.01', costCenter: 'geral' });
    const row = await database.prisma.schedule.findUniqueOrThrow({ where: { id } });
    const organizationId = company.organization.id;
    const category = await database.prisma.category.findFirstOrThrow({
      where: { organizationId, referenceCode: '1.1.01' },
    });
    const costCenter = await database.prisma.costCenter.findFirstOrThrow({
      where: { organizationId, externalCode: 'geral' },
    });
    expect(row).toMatchObject({
      kind: 'credit',
      valueMinor: 10_000n,
      openMinor: 10_000n,
      description: 'Order 1',
      groupId: id,
      scheduleDate: new Date('2026-03-10'),
      accrualDate: new Date('2026-04-10'),
      dueDate: new Date('2026-04-10'),
      categoryId: category.id,
      costCenterId: costCenter.id,
    });
  });

  it('makes a schedule of each instalment, numbered, sharing reference and group', async () => {
    const customer = await company.customer();
    const ids = await company.schedules({
      customer,
      reference: 'shop/order/7',
      instalments: [
        { value: '33.34', dueDate: '2026-04-10' },
        { value: '33.33', dueDate: '2026-05-10', description: 'Second' },
        { value: '33.33', dueDate: '2026-06-10' },
      ],
    });
    const rows = await database.prisma.schedule.findMany({
      where: { groupId: ids[0]! },
      orderBy: { instalment: 'asc' },
    });
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(rows.map(({ valueMinor }) => valueMinor)).toEqual([3334n, 3333n, 3333n]);
    expect(rows.map(({ description }) => description)).toEqual(['Order 1 - 1/3', 'Second', 'Order 1 - 3/3']);
    expect(rows.map(({ reference }) => reference)).toEqual(Array(3).fill('shop/order/7'));
    expect(rows.map(({ instalmentCount }) => instalmentCount)).toEqual([3, 3, 3]);
  });

  it('does not number a single instalment', async () => {
    const customer = await company.customer();
    const [id] = await company.schedules({
      customer,
      instalments: [{ value: '100.00', dueDate: '2026-05-01' }],
    });
    const row = await database.prisma.schedule.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ description: 'Order 1', dueDate: new Date('2026-05-01') });
  });

  it('refuses what does not fit, each for its own reason, and keeps the rest of the batch', async () => {
    const customer = await company.customer();
    const stranger = await (await Company.found(database)).customer();
    const of = (key: string, input: Partial<Parameters<typeof scheduleEffect>[1]>) =>
      scheduleEffect(key, { customer, ...input });
    const results = await company.apply(
      of('good', {}),
      of('1', { customer: stranger }),
      of('2', { category: '9.9.99' }),
      of('3', { category: '2.1.01' }),
      of('4', { costCenter: 'nowhere' }),
      of('5', { value: '0.00' }),
      of('6', { value: '1.001' }),
      of('7', { dueDate: '2026-02-30' }),
      of('8', {
        instalments: [
          { value: '60.00', dueDate: '2026-04-10' },
          { value: '39.99', dueDate: '2026-05-10' },
        ],
      }),
      of('9', { customer: 'nobody' }),
    );
    expect(results[0]?.state).toBe('applied');
    expect(
      results.slice(1).map((result) => (result.state === 'refused' ? result.reason : result.state)),
    ).toEqual([
      'there is no such customer or partner',
      'there is no category 9.9.99',
      'the category is for money that goes out',
      'there is no cost center nowhere',
      'the value must be more than 0',
      'the amount cannot be used: more than 2 decimals for BRL',
      'the due date cannot be used: no such day',
      'the instalments add up to 99.99, which is not the value 100.00: the difference is 0.01',
      'the customer is not the identifier of a record',
    ]);
    expect(await database.prisma.schedule.count({ where: { organizationId: company.organization.id } })).toBe(
      1,
    );
  });

  it('says that an order came back with another amount, and changes nothing', async () => {
    const customer = await company.customer();
    const [first] = await company.apply(scheduleEffect('order/1', { customer, value: '100.00' }));
    const [second] = await company.apply(scheduleEffect('order/1', { customer, value: '120.00' }));
    expect(second).toEqual({
      state: 'existing',
      output: outputOf(first),
      attention: [
        {
          code: 'amount-differs',
          detail:
            'order/1 was applied with 100.00 BRL and is now asked for with 120.00 BRL; nothing was changed',
          amount: '120.00',
        },
      ],
    });
  });

  it('takes no reference that was not filled in', async () => {
    const effect = scheduleEffect('o', { customer: { $ref: 'customer.id' } as unknown as string });
    await expect(company.apply(effect)).rejects.toThrow('customer.id was not filled in');
    expect(await effectRow('o')).toBeNull();
  });
});

describe('receipt.allocate', () => {
  let ids: string[];
  beforeEach(async () => {
    ids = await company.schedules({
      customer: await company.customer(),
      instalments: [
        { value: '33.34', dueDate: '2026-06-10' },
        { value: '33.33', dueDate: '2026-04-10' },
        { value: '33.33', dueDate: '2026-05-10' },
      ],
    });
  });

  function receipts() {
    return database.prisma.entry.findMany({
      where: { organizationId: company.organization.id, kind: 'receipt' },
      orderBy: { id: 'asc' },
    });
  }

  it('settles the oldest due date first, one receipt for each schedule it reaches', async () => {
    const [result] = await company.apply(receiptEffect('pay/1', { schedules: ids, value: '50.00' }));
    expect(await company.open(ids)).toEqual([3334n, 0n, 1666n]);
    expect(await company.balance()).toBe(5000n);
    const rows = await receipts();
    expect(rows).toHaveLength(2);
    const byId = outputOf(result).all!.map((id) => rows.find((row) => row.id === id));
    expect(byId).toEqual([
      expect.objectContaining({ creditId: ids[1], amountMinor: 3333n, identifier: 'pay/1' }),
      expect.objectContaining({ creditId: ids[2], amountMinor: 1667n, identifier: 'pay/1' }),
    ]);
    expect(outputOf(result).id).toBe(outputOf(result).all![0]);
  });

  it('never settles more than is open and tells what is left over, once', async () => {
    const effect = receiptEffect('pay/1', { schedules: ids, value: '112.34' });
    const [result] = await company.apply(effect);
    expect(result).toMatchObject({
      state: 'applied',
      attention: [
        {
          code: 'payment-left-over',
          detail: 'of the payment pay/1 of 112.34 BRL, 100.00 settled what was open and 12.34 is left over',
          amount: '12.34',
        },
      ],
    });
    expect(await company.open(ids)).toEqual([0n, 0n, 0n]);
    expect(await company.balance()).toBe(10_000n);
    expect((await company.apply(effect))[0]).toEqual({
      state: 'existing',
      output: outputOf(result),
      attention: [],
    });
    expect(await company.balance()).toBe(10_000n);
  });

  it('sees what an earlier payment of the same batch settled', async () => {
    const results = await company.apply(
      receiptEffect('pay/1', { schedules: ids, value: '70.00' }),
      receiptEffect('pay/2', { schedules: ids, value: '70.00' }),
    );
    expect(results.map((result) => result.state)).toEqual(['applied', 'applied']);
    expect(results[1]).toMatchObject({ attention: [{ code: 'payment-left-over', amount: '40.00' }] });
    expect(await company.balance()).toBe(10_000n);
  });

  it('is applied without any receipt when nothing is open', async () => {
    await company.apply(receiptEffect('pay/1', { schedules: ids, value: '100.00' }));
    const [result] = await company.apply(receiptEffect('pay/2', { schedules: ids, value: '5.00' }));
    expect(result).toMatchObject({ state: 'applied', output: { all: [] }, attention: [{ amount: '5.00' }] });
    expect((await effectRow('pay/2'))?.output).toEqual({ all: [] });
  });

  it('refuses what it cannot settle, with a reason', async () => {
    const stranger = await Company.found(database);
    const theirs = await stranger.schedules({ customer: await stranger.customer() });
    const results = await company.apply(
      receiptEffect('1', { schedules: [newId()], value: '1.00' }),
      receiptEffect('2', { schedules: [ids[0]!, ...theirs], value: '1.00' }),
      receiptEffect('3', { schedules: ids, value: '1.00', account: 'nowhere' }),
      receiptEffect('4', { schedules: ids, value: '1.00', date: '2019-12-31' }),
      receiptEffect('5', { schedules: ids, value: '0.00' }),
      receiptEffect('6', { schedules: ['x'], value: '1.00' }),
    );
    expect(results.map((result) => (result.state === 'refused' ? [result.code, result.reason] : []))).toEqual(
      [
        ['not-found', 'The organization has no such credit schedule'],
        ['not-found', 'The organization has no such credit schedule'],
        [
          'validation-failed',
          'there is no account with the code nowhere: one without a code is named by its UUID',
        ],
        ['before-opening-date', 'the date 2019-12-31 is before 2020-01-01, when the account was opened'],
        ['validation-failed', 'the value must be more than 0'],
        ['validation-failed', 'the schedule is not the identifier of a record'],
      ],
    );
    expect(await company.balance()).toBe(0n);
    expect(await stranger.open(theirs)).toEqual([10_000n]);
  });

  it('refuses what would bring a balance beyond what can be shown, whatever came before it in the batch', async () => {
    const customer = await company.customer();
    const value = '999999999999.99';
    const schedules: string[] = [];
    for (let count = 0; count < 11; count += 1)
      schedules.push(...(await company.schedules({ customer, value, instalments: undefined })));
    const results = await company.apply(
      ...schedules.map((id, index) => receiptEffect(`pay/${index}`, { schedules: [id], value })),
    );
    expect(results.map(({ state }) => state)).toEqual([...Array<string>(10).fill('applied'), 'refused']);
    expect(results[10]).toMatchObject({
      code: 'validation-failed',
      reason: expect.stringContaining('15 digits'),
    });
    expect(await company.balance()).toBe(10n * 99_999_999_999_999n);
    await company.verify();
  });

  it("does not reach another company's schedule that the same batch settles for its owner", async () => {
    const owner = await Company.found(database);
    const theirs = await owner.schedules({ customer: await owner.customer() });
    const effect = receiptEffect('pay/1', { schedules: theirs, value: '30.00' });
    const results = await database.transaction((tx) =>
      company.applier.apply(tx, [owner.request(effect), company.request(effect)]),
    );
    expect(results).toMatchObject([{ state: 'applied' }, { state: 'refused', code: 'not-found' }]);
    expect(await owner.open(theirs)).toEqual([7_000n]);
    expect(await company.balance()).toBe(0n);
  });

  it('can be tried again under its key after it was refused', async () => {
    const effect = receiptEffect('pay', { schedules: ids, value: '1.00', account: 'nowhere' });
    expect((await company.apply(effect))[0]?.state).toBe('refused');
    const [result] = await company.apply(receiptEffect('pay', { schedules: ids, value: '1.00' }));
    expect(result?.state).toBe('applied');
    expect(await company.balance()).toBe(100n);
  });
});

describe('a batch', () => {
  it('applies a key once, however often it is in it', async () => {
    const results = await company.apply(
      customerEffect('c', { document }),
      customerEffect('c', { document }),
      customerEffect('c', { document: '1' }),
    );
    expect(results.map(({ state }) => state)).toEqual(['applied', 'existing', 'existing']);
    expect(await stakeholders()).toHaveLength(1);
  });

  it('answers a repeated key like its first when that is refused', async () => {
    const results = await company.apply(customerEffect('c', { name: '' }), customerEffect('c', { name: '' }));
    expect(results.map(({ state }) => state)).toEqual(['refused', 'refused']);
  });

  it('refuses a key that stands for another kind of effect', async () => {
    const customer = await company.customer();
    await company.apply(customerEffect('k'));
    const [result] = await company.apply(scheduleEffect('k', { customer }));
    expect(result).toEqual({
      state: 'refused',
      code: 'conflict',
      reason: 'the key k stands for another effect: customer.ensure',
    });
  });

  it('refuses keys that cannot be kept', async () => {
    const results = await company.apply(
      customerEffect(''),
      customerEffect('k\u0000'),
      customerEffect('k'.repeat(501)),
    );
    expect(results.map(({ state }) => state)).toEqual(['refused', 'refused', 'refused']);
  });

  it('leaves an effect alone whose outcome is not known', async () => {
    await company.apply(customerEffect('k'));
    const organizationId = company.organization.id;
    await database.prisma.effect.update({
      where: { organizationId_key: { organizationId, key: 'k' } },
      data: { state: 'unknown' },
    });
    const [result] = await company.apply(customerEffect('k'));
    expect(result).toMatchObject({ state: 'refused', code: 'effect-unknown' });
    expect(await stakeholders()).toHaveLength(1);
  });

  it('undoes effects and idempotency records together when the caller rolls back', async () => {
    const request = company.request(customerEffect('c', { document }));
    const rolledBack = database.transaction(async (tx) => {
      await company.applier.apply(tx, [request]);
      throw new Error('the caller changed its mind');
    });
    await expect(rolledBack).rejects.toThrow('changed its mind');
    expect(await stakeholders()).toEqual([]);
    expect(await effectRow('c')).toBeNull();
    expect((await company.apply(customerEffect('c', { document })))[0]?.state).toBe('applied');
  });

  it('of two hundred mixed effects gives each its own result, in order', async () => {
    const customers = await Promise.all([company.customer(), company.customer()]);
    const open = await company.schedules({ customer: customers[0], value: '1000.00' });
    const effects: PlannedEffect[] = Array.from({ length: 200 }, (_, index) => {
      const key = `mixed/${index - (index % 8 === 7 ? 1 : 0)}`;
      if (index % 8 >= 6) return receiptEffect(key, { schedules: open, value: '10.00' });
      if (index % 8 === 5) return receiptEffect(key, { schedules: [newId()], value: '10.00' });
      if (index % 8 === 4) return scheduleEffect(key, { customer: newId() });
      if (index % 8 >= 2)
        return scheduleEffect(key, { customer: customers[index % 2]!, value: `${index}.01` });
      if (index % 8 === 1) return customerEffect(key, { document: 'wrong' });
      return customerEffect(key, { document: cpfNumber(100 + index) });
    });
    const results = await company.apply(...effects);
    const expected = [
      'applied',
      'refused',
      'applied',
      'applied',
      'refused',
      'refused',
      'applied',
      'existing',
    ];
    expect(results.map(({ state }) => state)).toEqual(effects.map((_, index) => expected[index % 8]));
    expect(await company.balance()).toBe(25_000n);
    expect(await company.open(open)).toEqual([75_000n]);
    const again = await company.apply(...effects);
    const replayed = expected.map((state) => (state === 'applied' ? 'existing' : state));
    expect(again.map(({ state }) => state)).toEqual(effects.map((_, index) => replayed[index % 8]));
    expect(await company.balance()).toBe(25_000n);
  });

  /** How many statements applying effects in one transaction takes. */
  function statementsFor(effects: readonly PlannedEffect[]): Promise<number> {
    const requests = effects.map((effect) => company.request(effect));
    return database.transaction(async (tx) => {
      let statements = 0;
      const counting = new Proxy(tx, {
        get(target, name) {
          if (name === '$queryRaw' || name === '$executeRaw') statements += 1;
          return Reflect.get(target, name) as unknown;
        },
      });
      enableStatements(counting, ({ text }, values) => {
        statements += 1;
        return queryInTransaction(tx, text, values);
      });
      await company.applier.apply(counting, requests);
      return statements;
    });
  }

  it('takes as many statements with three hundred effects as with three', async () => {
    const customer = await company.customer();
    const count = async (size: number): Promise<number> => {
      const open = await company.schedules({ customer, value: '1000.00' });
      const effects = Array.from({ length: size / 3 }, (_, index) => [
        customerEffect(`n/${size}/${index}/c`, { document: cpfNumber(1000 + size + index) }),
        scheduleEffect(`n/${size}/${index}/s`, { customer }),
        receiptEffect(`n/${size}/${index}/r`, { schedules: open, value: '0.01' }),
      ]).flat();
      return statementsFor(effects);
    };
    const few = await count(3);
    expect(few).toBeLessThanOrEqual(16);
    expect(await count(300)).toBe(few);
  });

  it('reads no plan of a customer who comes again: nothing of it is compared', async () => {
    await company.apply(customerEffect('c', { document }));
    expect(await statementsFor([customerEffect('c', { document })])).toBe(2);
  });
});
