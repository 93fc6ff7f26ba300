import { Company, outputOf } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { UnreadChanges } from '../../../../test/support/feed-changes';
import { payable, supplier } from '../../../../test/support/payables';
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
});
afterEach(() => company.verify());
afterAll(() => database.close());

const reasons = (results: Awaited<ReturnType<Company['apply']>>) =>
  results.map((result) => ('reason' in result ? result.reason : result.state));

describe('account.ensure', () => {
  const ensure = (key: string, input: Partial<EffectInputs['account.ensure']> = {}): PlannedEffect => ({
    key: `account/${key}`,
    operation: 'account.ensure',
    input: { name: 'PagBank', openBalance: '0.00', openedOn: '2000-01-01', ...input },
  });
  const accounts = (name = 'PagBank') =>
    database.prisma.account.findMany({ where: { organizationId: company.organization.id, name } });

  it('opens an account once, and finds it by its name under another key', async () => {
    const [first] = await company.apply(
      ensure('1', { openBalance: '-12.30', bank: '341', type: 'checking' }),
    );
    const [again, other] = await company.apply(ensure('1'), ensure('2'));
    const [account] = await accounts();
    const id = account?.id;
    expect(first).toEqual({ state: 'applied', output: { id }, attention: [] });
    expect(again).toMatchObject({ state: 'existing', output: { id } });
    expect(other).toEqual({ state: 'existing', output: { id }, attention: [] });
    expect(account).toMatchObject({
      openBalanceMinor: -1_230n,
      type: 'checking',
      bankId: expect.any(String),
    });
    expect(await accounts()).toHaveLength(1);
  });

  it('opens one for two keys of one batch', async () => {
    const [first, second] = await company.apply(ensure('1'), ensure('2'));
    expect(first).toMatchObject({ state: 'applied' });
    expect(second).toMatchObject({ state: 'existing', output: outputOf(first) });
    expect(await accounts()).toHaveLength(1);
  });

  it('takes money from the account that it opened', async () => {
    const [made] = await company.apply(ensure('1'));
    const { id: account = '' } = outputOf(made);
    const transfer = { from: 'main', to: account, value: '5.00', date: '2026-03-10' };
    const [result] = await company.apply({ key: 't', operation: 'transfer.make', input: transfer });
    expect(result).toMatchObject({ state: 'applied' });
    expect(await company.balance()).toBe(-500n);
  });

  it('refuses a name of several accounts, and a bank that is not there', async () => {
    const { id: organizationId } = company.organization;
    for (const id of [newId(), newId()])
      await database.prisma.account.create({
        data: { id, organizationId, name: 'Twin', openBalanceMinor: 0n, openedOn: new Date('2026-01-01') },
      });
    expect(reasons(await company.apply(ensure('1', { name: 'Twin' }), ensure('2', { bank: '999' })))).toEqual(
      [
        'more than one account has this name: name the account by its code or identifier instead',
        'there is no bank 999',
      ],
    );
  });

  it('says so in the feed', async () => {
    const feed = new UnreadChanges(database);
    await feed.next(company.organization.id);
    const [made] = await company.apply(ensure('1'));
    const { id } = outputOf(made);
    const lines = await feed.nextLines(company.organization.id);
    expect(lines).toContain(`account.created account/${id}`);
  });
});

describe('supplier.find', () => {
  const find = (input: EffectInputs['supplier.find'], key = newId()): PlannedEffect => ({
    key,
    operation: 'supplier.find',
    input,
  });

  it('finds by document, however it is written, and by exact name', async () => {
    const id = await supplier(company, { name: 'Aurora', document: '11222333000181' });
    const results = await company.apply(find({ document: '11.222.333/0001-81' }), find({ name: 'Aurora' }));
    expect(results).toEqual([0, 1].map(() => ({ state: 'existing', output: { id }, attention: [] })));
  });

  it('refuses with a code of its own what is missing, and finds it when it is there', async () => {
    const wanted = find({ name: 'Aurora' });
    const [missing] = await company.apply(wanted);
    expect(missing).toMatchObject({ state: 'refused', code: 'record-missing' });
    const id = await supplier(company, { name: 'Aurora' });
    expect(await company.apply(wanted)).toMatchObject([{ state: 'existing', output: { id } }]);
  });

  it('finds no customer, no deleted supplier, none of another company, and not one of two', async () => {
    await company.customer({ name: 'Only a customer' });
    await supplier(company, { name: 'Deleted', deletedAt: new Date() });
    await supplier(await Company.found(database), { name: 'Elsewhere' });
    await supplier(company, { name: 'Twin' });
    await supplier(company, { name: 'Twin' });
    const names = ['Only a customer', 'Deleted', 'Elsewhere', 'Twin'];
    const results = await company.apply(...names.map((name) => find({ name })));
    expect(results.map((result) => ('code' in result ? result.code : result.state))).toEqual([
      ...['record-missing', 'record-missing', 'record-missing'],
      'conflict',
    ]);
    expect(JSON.stringify(results)).not.toMatch(/Twin|Deleted|Elsewhere/);
  });

  it('is whom a payment is made to', async () => {
    const stakeholder = await supplier(company);
    const [paid] = await company.apply({
      key: 'payment/1',
      operation: 'payment.register',
      input: {
        ...{ account: 'main', value: '5.00', date: '2026-03-10', description: 'Printing' },
        ...{ reference: 'bill/1', stakeholder },
      },
    });
    expect(paid).toMatchObject({ state: 'applied' });
  });
});

describe('payment.delete', () => {
  const remove = (schedule: string, of: string, key = newId()): PlannedEffect => ({
    key,
    operation: 'payment.delete',
    input: { schedule, payment: of },
  });

  /** A payable of 50.00 of which 20.00 are paid. @returns UUIDs of it and of the payment */
  async function paidPayable(): Promise<[schedule: string, payment: string]> {
    const schedule = await payable(company, { paidMinor: 2_000n });
    const where = { kind: 'payment', debitId: schedule } as const;
    const { id } = await database.prisma.entry.findFirstOrThrow({ where });
    return [schedule, id];
  }

  it('takes a payment back once, and finds it gone under another key', async () => {
    const [schedule, paid] = await paidPayable();
    const [first] = await company.apply(remove(schedule, paid, 'k'));
    const [again, other] = await company.apply(remove(schedule, paid, 'k'), remove(schedule, paid));
    expect(first).toEqual({ state: 'applied', output: {}, attention: [] });
    expect([again, other]).toEqual([0, 1].map(() => ({ state: 'existing', output: {}, attention: [] })));
    expect(await company.open([schedule])).toEqual([5_000n]);
    expect(await company.balance()).toBe(0n);
  });

  it('takes it back once for two keys of one batch', async () => {
    const [schedule, paid] = await paidPayable();
    const results = await company.apply(remove(schedule, paid), remove(schedule, paid));
    expect(results.map(({ state }) => state)).toEqual(['applied', 'existing']);
    expect(await company.balance()).toBe(0n);
  });

  it('refuses what was never there', async () => {
    const schedule = await payable(company);
    const results = await company.apply(remove(schedule, newId()), remove(newId(), newId()));
    expect(reasons(results)).toEqual([
      'The organization has no such payment of this schedule',
      'The organization has no such debit schedule',
    ]);
  });
});
