import type { Response } from 'supertest';
import { expectDone, problemOf, refusalOf } from '../support/finance-client';
import { OperatorsClient } from '../support/operators-client';
import { TestService } from '../support/service';

describe('a payment of what is owed', () => {
  let service: TestService;
  let client: OperatorsClient;
  let account: string;
  let schedule: string;
  let payment: string;

  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await OperatorsClient.of(service);
    const opened = { name: 'Main', openBalance: 100, dateOfOpenBalance: '2026-01-01' };
    account = (await client.finance('post', '/accounts', opened)).body as string;
    const stakeholderId = await client.make('/suppliers', { name: 'Padaria' });
    schedule = await client.make('/schedules/debit', {
      stakeholderId,
      value: '30.00',
      dueDate: '2026-02-01',
    });
    const paid = { accountId: account, value: '12.34', date: '2026-02-01' };
    payment = await client.make(`/schedules/debit/${schedule}/payments`, paid);
  });
  afterAll(() => service.stop());

  const remove = (): Promise<Response> =>
    client.finance('delete', `/schedules/debit/${schedule}/payments/${payment}`);

  /** What is open of the schedule, and the account's balance, as the finance interface shows them. */
  async function shown(): Promise<[openValue: unknown, balance: unknown]> {
    const debit = await client.finance('get', `/schedules/debit?$filter=scheduleId eq ${schedule}`);
    const balances = await client.finance('get', `/accounts/views/balance?$filter=accountId eq ${account}`);
    const first = ({ body }: Response) => (body as { items: Record<string, unknown>[] }).items[0];
    return [first(debit)?.['openValue'], first(balances)?.['balance']];
  }

  it('stays while it is reconciliated, goes when it is no longer, and goes once', async () => {
    expect(await shown()).toEqual([17.66, 87.66]);
    const reconciliation = `/entries/${payment}/reconciliation`;
    expectDone(await client.send('put', reconciliation));
    expect(problemOf(await remove())).toMatchObject({ status: 409, error: 'entry-reconciliated' });
    expect(problemOf(await remove())).toMatchObject({ status: 409, error: 'entry-reconciliated' });
    expect(await shown()).toEqual([17.66, 87.66]);

    expectDone(await client.send('delete', reconciliation, { reason: 'the wrong line' }));
    expectDone(await remove());
    expect(await shown()).toEqual([30, 100]);

    expect(refusalOf(await remove())).toBe('404 not-found');
    expect(await shown()).toEqual([30, 100]);
    expect(refusalOf(await client.send('put', reconciliation))).toBe('409 conflict');
  });
});
