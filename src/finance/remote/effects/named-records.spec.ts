import { listenForAlarms } from '../../../../test/support/alarms';
import { customerEffect, outputOf } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { SimulatedBooks } from '../../../../test/support/simulated-books';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import { storedRetention } from '../../../kernel/retention';
import { CallRetention } from '../../../retention/calls.repository';
import type { PlannedEffect } from '../../api/effects/effect';
import type { EffectInputs } from '../../api/effects/registry';

let database: Database;
let service: SimulatedBooks;
let finance: RemoteFinance;

beforeAll(async () => {
  listenForAlarms();
  database = await openTestDatabase();
});
beforeEach(async () => {
  service = new SimulatedBooks();
  finance = await RemoteFinance.open(database, service);
});
afterAll(() => database.close());

const DAY = '2000-01-01';

describe('account.ensure', () => {
  const ensure = (key: string, input: Partial<EffectInputs['account.ensure']> = {}): PlannedEffect => ({
    key: `account/${key}`,
    operation: 'account.ensure',
    input: { name: 'PagBank', openBalance: '0.00', openedOn: DAY, ...input },
  });

  it('opens an account once, and finds it by its name under another key', async () => {
    const first = await finance.apply(ensure('1'));
    const [account] = service.accounts;
    expect(first).toEqual({ state: 'applied', output: { id: account?.id }, attention: [] });
    expect(await finance.apply(ensure('1'))).toEqual({ ...first, state: 'existing' });
    expect(await finance.apply(ensure('2'))).toEqual({ ...first, state: 'existing' });
    expect(service.accounts).toMatchObject([{ name: 'PagBank', openBalance: 0, dateOfOpenBalance: DAY }]);
  });

  it('reads back what it opened where the answer was lost, and opens no second one', async () => {
    service.fates.push('unknown-applied');
    expect(await finance.apply(ensure('1'))).toMatchObject({ state: 'pending' });
    await finance.laterOn();
    expect(await finance.apply(ensure('1'))).toMatchObject({
      state: 'applied',
      output: { id: service.accounts[0]?.id },
    });
    expect(service.accounts).toHaveLength(1);
  });

  it('opens it anew where nothing came of the first attempt', async () => {
    service.fates.push('unknown-not-applied');
    await finance.apply(ensure('1'));
    await finance.laterOn();
    expect(await finance.apply(ensure('1'))).toMatchObject({ state: 'applied' });
    expect(service.accounts).toHaveLength(1);
  });

  it('is refused for a name of several accounts, and for a bank by its code', async () => {
    const twin = { name: 'Twin', openBalance: 0, dateOfOpenBalance: DAY };
    service.accounts.push({ id: newId(), ...twin }, { id: newId(), ...twin });
    expect(await finance.apply(ensure('1', { name: 'Twin' }))).toMatchObject({
      state: 'refused',
      code: 'conflict',
    });
    expect(await finance.apply(ensure('2', { bank: '341' }))).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('bank has to be named by its identifier') as string,
    });
    expect(service.sent).toBe(0);
  });
});

describe('supplier.find', () => {
  const find = (input: EffectInputs['supplier.find']): PlannedEffect => ({
    key: `supplier/${newId()}`,
    operation: 'supplier.find',
    input,
  });

  it('finds by document, however it is written, and by exact name, among others that a filter leaves in', async () => {
    const id = newId();
    service.suppliers.push(
      { id: newId(), name: 'Other', document: { number: '52998224725' } },
      { id, name: 'Aurora', document: { number: '11.222.333/0001-81' } },
    );
    const found = { state: 'existing', output: { id }, attention: [] };
    expect(await finance.apply(find({ document: '11222333000181' }))).toEqual(found);
    expect(await finance.apply(find({ name: 'Aurora' }))).toEqual(found);
    expect(service.sent).toBe(0);
  });

  it('refuses with a code of its own what is missing, and finds it when it is there', async () => {
    const wanted = find({ name: 'Aurora' });
    expect(await finance.apply(wanted)).toMatchObject({ state: 'refused', code: 'record-missing' });
    const id = newId();
    service.suppliers.push({ id, name: 'Aurora' });
    expect(await finance.apply(wanted)).toMatchObject({ state: 'existing', output: { id } });
  });
});

describe('payment.delete', () => {
  const [schedule, payment] = [newId(), newId()];
  const remove = (key = 'k'): PlannedEffect => ({
    key,
    operation: 'payment.delete',
    input: { schedule, payment },
  });

  it('takes a payment back once for its key', async () => {
    service.payable.add(payment);
    expect(await finance.apply(remove())).toEqual({ state: 'applied', output: {}, attention: [] });
    expect(await finance.apply(remove())).toEqual({ state: 'existing', output: {}, attention: [] });
    expect([service.sent, service.payable.size]).toEqual([1, 0]);
  });

  it('finds one gone that is not there any more', async () => {
    expect(await finance.apply(remove('other'))).toEqual({ state: 'existing', output: {}, attention: [] });
  });

  it('is applied where the answer was lost and it is gone when it is asked for again', async () => {
    service.payable.add(payment);
    service.fates.push('unknown-applied');
    expect(await finance.apply(remove())).toMatchObject({ state: 'pending' });
    await finance.laterOn();
    expect(await finance.apply(remove())).toMatchObject({ state: 'applied' });
    expect(service.payable.size).toBe(0);
  });
});

describe('cost-center.update', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 2, 10, 12, 0, second)).toISOString();
  const describes = (second: number, description: string): PlannedEffect => ({
    key: `cost-center/sales/${second}/${description}`,
    operation: 'cost-center.update',
    input: { costCenter: 'sales', description, asOf: at(second) },
  });
  const description = () => service.costCenters[0]?.description;

  beforeEach(() => {
    service.costCenters.push({ costCenterId: newId(), description: 'Before', externalCode: 'sales' });
  });

  it('sends what the newest event says, and nothing for an older one', async () => {
    expect(await finance.apply(describes(2, 'Second'))).toMatchObject({ state: 'applied' });
    expect(await finance.apply(describes(1, 'First'))).toMatchObject({ state: 'existing' });
    expect(await finance.apply(describes(2, 'Second'))).toMatchObject({ state: 'existing' });
    expect([description(), service.sent]).toEqual(['Second', 1]);
  });

  it('never sends an older one after a newer one, also where it was to be repeated', async () => {
    service.fates.push('not-sent');
    expect(await finance.apply(describes(1, 'First'))).toMatchObject({ state: 'pending' });
    expect(await finance.apply(describes(2, 'Second'))).toMatchObject({ state: 'applied' });
    finance.pass(60_000);
    expect(await finance.apply(describes(1, 'First'))).toMatchObject({ state: 'existing' });
    expect(description()).toBe('Second');
  });

  it('waits while another one may still take effect', async () => {
    service.fates.push('unknown-not-applied');
    expect(await finance.apply(describes(1, 'First'))).toMatchObject({ state: 'pending' });
    expect(await finance.apply(describes(2, 'Second'))).toMatchObject({
      state: 'pending',
      reason: 'another update of the cost center is under way',
    });
    await finance.laterOn();
    expect(await finance.apply(describes(2, 'Second'))).toMatchObject({ state: 'applied' });
    expect(await finance.apply(describes(1, 'First'))).toMatchObject({ state: 'existing' });
    expect(description()).toBe('Second');
  });

  it('is overtaken at the last moment by a newer one that was noted between', async () => {
    const turn = service.withPermit.bind(service);
    service.withPermit = async (connection, work) => {
      service.withPermit = turn;
      await finance.apply(describes(2, 'Second'));
      return turn(connection, work);
    };
    expect(await finance.apply(describes(1, 'First'))).toMatchObject({ state: 'existing' });
    expect([description(), service.sent]).toEqual(['Second', 1]);
  });
});

describe('customer.ensure with fields that follow the shop', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 2, 10, 12, 0, second)).toISOString();
  const says = (second: number, input: Partial<EffectInputs['customer.ensure']>): PlannedEffect =>
    customerEffect('customer/1', { update: ['name', 'email', 'address'], asOf: at(second), ...input });
  const attention = async (effect: PlannedEffect, runId?: string) => {
    const result = await finance.apply(effect, runId);
    return 'attention' in result ? result.attention.map(({ code, detail }) => `${code}: ${detail}`) : result;
  };

  it('calls nothing for a customer who is there, and asks a person once, without values', async () => {
    const address = { city: 'Santos', country: 'BR' };
    expect(await attention(says(1, { name: 'Lia', address }))).toEqual([]);
    expect(await attention(says(2, { name: 'Lia', address }))).toEqual([]);
    const newer = says(3, { name: 'Lia Campos', address, email: 'lia@example.com' });
    const [item = ''] = (await attention(newer)) as string[];
    const id = outputOf(await finance.apply(newer)).id;
    expect(item).toBe(
      `customer-not-updated: the shop says otherwise of name, email of the customer ${id} since ${at(3)}, ` +
        'and the finance interface has no operation that changes a customer: enter it in the finance service',
    );
    expect(await attention(newer)).toEqual([]);
    expect(service.sent).toBe(1);
  });

  it('asks nobody what a customer was made with where that is no longer kept, and tells changes from then on', async () => {
    await finance.apply(says(1, { name: 'Lia', email: 'lia@example.com' }));
    // Made before what the shop says was noted, and so long ago that what was sent is removed.
    await database.prisma.followedField.deleteMany();
    const { organization } = finance;
    const days = storedRetention({ calls: 90 }, 90);
    const [before, now] = [new Date(Date.now() + 86_400_000), new Date()];
    const { removed } = await database.transaction((tx) =>
      new CallRetention().remove(tx, {
        ...{ organizationId: organization.id, before, days, place: null, now, limit: 500 },
      }),
    );
    expect(removed).toBe(1);
    expect(await attention(says(2, { name: 'Lia Campos', email: 'lia@example.com' }))).toEqual([]);
    expect(await attention(says(3, { name: 'Lia Reis', email: 'lia@example.com' }))).toHaveLength(1);
    expect(service.sent).toBe(1);
  });

  it('says it again for the run that said it, which may have been interrupted', async () => {
    await finance.apply(says(1, { name: 'Lia' }));
    const run = newId();
    const first = await attention(says(2, { name: 'Lia Campos' }), run);
    expect(first).toHaveLength(1);
    expect(await attention(says(2, { name: 'Lia Campos' }), run)).toEqual(first);
  });

  it('asks nobody for what an older event says', async () => {
    await finance.apply(says(5, { name: 'Lia' }));
    expect(await attention(says(4, { name: 'Old' }))).toEqual([]);
  });
});
