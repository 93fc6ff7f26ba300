import { receiptEffect, scheduleEffect } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { SimulatedService } from '../../../../test/support/simulated-service';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';

describe('effects on a remote finance service', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  it('tell a run that was interrupted again what it had applied, and what that left over', async () => {
    const finance = await RemoteFinance.open(database, new SimulatedService());
    const made = await finance.apply(scheduleEffect('an-order', { customer: newId(), value: '100.00' }));
    const { all } = (made as { output: { all: string[] } }).output;
    const payment = receiptEffect('a-payment', { schedules: all, value: '130.00', account: newId() });
    const runId = newId();
    const first = await finance.apply(payment, runId);
    expect(first).toMatchObject({
      state: 'applied',
      attention: [{ code: 'payment-left-over', amount: '30.00' }],
    });
    expect(await finance.apply(payment, runId)).toEqual(first);
    expect(await finance.apply(payment)).toMatchObject({ state: 'existing', attention: [] });
  });
});
