import { Company, customerEffect, outputOf } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { UnreadChanges } from '../../../../test/support/feed-changes';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import type { PlannedEffect } from '../../api/effects/effect';
import type { EffectInputs } from '../../api/effects/registry';

let database: Database;
let company: Company;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  company = await Company.found(database);
  await account('gateway');
});
afterEach(() => company.verify());
afterAll(() => database.close());

/** Opens a second account, by its code. */
async function account(code: string): Promise<void> {
  const organizationId = company.organization.id;
  const id = newId();
  const openedOn = new Date('2026-01-01');
  await database.prisma.account.create({
    data: { id, organizationId, code, name: code, openBalanceMinor: 0n, openedOn },
  });
  await database.prisma.accountBalance.create({
    data: { accountId: id, balanceMinor: 0n, announcedMinor: 0n },
  });
}

/** A refund of 20.00 on 10 March 2026 from the account `gateway` unless said otherwise. */
function payment(key: string, input: Partial<EffectInputs['payment.register']> = {}): PlannedEffect {
  const value = input.value ?? '20.00';
  return {
    key: `payment/${key}`,
    operation: 'payment.register',
    amount: value,
    input: {
      ...{ account: 'gateway', value, date: '2026-03-10', description: 'Refund', reference: key },
      ...{ category: '2.1.06', ...input },
    },
  };
}

function transfer(key: string, input: Partial<EffectInputs['transfer.make']> = {}): PlannedEffect {
  const value = input.value ?? '50.00';
  return {
    key: `transfer/${key}`,
    operation: 'transfer.make',
    amount: value,
    input: { from: 'gateway', to: 'main', value, date: '2026-03-11', ...input },
  };
}

function entries(kind: 'payment' | 'transfer') {
  return database.prisma.entry.findMany({ where: { organizationId: company.organization.id, kind } });
}

describe('payment.register', () => {
  it('books an expense once for its key, with what it names', async () => {
    const [customer] = await company.apply(customerEffect('c'));
    const stakeholder = outputOf(customer).id;
    const [first] = await company.apply(payment('r/1', { stakeholder, costCenter: 'geral' }));
    const [again] = await company.apply(payment('r/1', { stakeholder, costCenter: 'geral' }));
    expect(first).toEqual({ state: 'applied', output: { id: expect.any(String) as string }, attention: [] });
    expect(again).toEqual({ ...first, state: 'existing' });
    expect(await entries('payment')).toMatchObject([
      {
        id: outputOf(first).id,
        amountMinor: 2_000n,
        stakeholderId: stakeholder,
        description: 'Refund',
        reference: 'r/1',
        debitBook: 'expense',
        creditBook: 'account',
      },
    ]);
    expect([await company.balance('gateway'), await company.balance()]).toEqual([-2_000n, 0n]);
  });

  it('asks a person where a later event says another amount or account, and changes nothing', async () => {
    await company.apply(payment('r/1'));
    const [more] = await company.apply(payment('r/1', { value: '25.00' }));
    expect(more).toMatchObject({
      state: 'existing',
      attention: [{ code: 'amount-differs', amount: '25.00' }],
    });
    expect(await company.balance('gateway')).toBe(-2_000n);
  });

  it('refuses each that does not fit for its own reason, and keeps the rest of the batch', async () => {
    const results = await company.apply(
      payment('1', { account: 'nowhere' }),
      payment('2', { category: '1.1.01' }),
      payment('3', { category: '9.9' }),
      payment('4', { date: '2019-12-31', account: 'main' }),
      payment('5', { value: '0.00' }),
      payment('6', { stakeholder: newId() }),
      payment('7', { costCenter: 'x' }),
      payment('8'),
    );
    expect(results.map((result) => ('reason' in result ? result.reason : result.state))).toEqual([
      'there is no account with the code nowhere: one without a code is named by its UUID',
      'the category is for money that comes in',
      'there is no category 9.9',
      'the date 2019-12-31 is before 2020-01-01, when the account was opened',
      'the value must be more than 0',
      'there is no such stakeholder',
      'there is no cost center x',
      'applied',
    ]);
    expect(await entries('payment')).toHaveLength(1);
  });

  it('says so in the feed', async () => {
    const feed = new UnreadChanges(database);
    await feed.next(company.organization.id);
    const [result] = await company.apply(payment('r/1'));
    const lines = await feed.nextLines(company.organization.id);
    expect(lines).toContain(`payment.registered payment/${outputOf(result).id}`);
  });
});

describe('transfer.make', () => {
  it('moves money once for its key', async () => {
    const [first] = await company.apply(transfer('p/1'));
    const [again] = await company.apply(transfer('p/1'));
    expect(first).toMatchObject({ state: 'applied', attention: [] });
    expect(again).toEqual({ ...first, state: 'existing' });
    expect(await entries('transfer')).toHaveLength(1);
    expect([await company.balance('gateway'), await company.balance()]).toEqual([-5_000n, 5_000n]);
  });

  it('refuses what does not fit', async () => {
    const results = await company.apply(
      transfer('1', { to: 'gateway' }),
      transfer('2', { from: 'nowhere' }),
      transfer('3', { to: 'nowhere' }),
      transfer('4', { value: '0.00' }),
      transfer('5', { to: ' ' }),
    );
    expect(results.map((result) => ('reason' in result ? result.reason : result.state))).toEqual([
      'the two accounts must be different',
      'there is no account with the code nowhere: one without a code is named by its UUID',
      'there is no account with the code nowhere: one without a code is named by its UUID',
      'the value must be more than 0',
      'the account that the money reaches is missing',
    ]);
    expect(await entries('transfer')).toEqual([]);
  });
});

describe('what would bring a balance beyond what can be shown', () => {
  const value = '999999999999.99';
  const eleven = Array.from({ length: 11 }, (_, index) => String(index));
  const beyond = {
    state: 'refused',
    code: 'validation-failed',
    reason: expect.stringContaining('15 digits') as string,
  };

  it('is refused for a payment, whatever came before it in the batch', async () => {
    const results = await company.apply(...eleven.map((key) => payment(key, { value })));
    expect(results.map(({ state }) => state)).toEqual([...Array<string>(10).fill('applied'), 'refused']);
    expect(results[10]).toMatchObject(beyond);
    expect(await company.balance('gateway')).toBe(-10n * 99_999_999_999_999n);
  });

  it('is refused for a transfer, and neither account moves', async () => {
    const results = await company.apply(...eleven.map((key) => transfer(key, { value })));
    expect(results.map(({ state }) => state)).toEqual([...Array<string>(10).fill('applied'), 'refused']);
    expect(results[10]).toMatchObject(beyond);
    const moved = 10n * 99_999_999_999_999n;
    expect([await company.balance('gateway'), await company.balance()]).toEqual([-moved, moved]);
  });
});

it('two hundred movements in one batch keep the books in balance, in any order', async () => {
  const effects = Array.from({ length: 200 }, (_, index) =>
    index % 2 ? payment(`m/${index}`, { value: '1.00' }) : transfer(`m/${index}`, { value: '2.00' }),
  );
  const results = await company.apply(...effects, ...effects.toReversed());
  expect(results.filter(({ state }) => state === 'applied')).toHaveLength(200);
  expect(results.filter(({ state }) => state === 'existing')).toHaveLength(200);
  expect([await company.balance('gateway'), await company.balance()]).toEqual([-30_000n, 20_000n]);
});
