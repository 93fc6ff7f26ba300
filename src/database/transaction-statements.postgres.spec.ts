import { openTestDatabase } from '../../test/support/database';
import type { Database } from './database';
import type { Transaction } from './transaction';
import { usePreparedStatements, queryInTransaction } from './transaction-statements';

const ASKED = 'select 41 + $1::int as sum';
const KEPT = `select statement from pg_prepared_statements where statement = '${ASKED}'`;

describe('statements of a transaction', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  function ask(...settings: ((tx: Transaction) => void)[]): Promise<unknown[]> {
    return database.transaction(async (tx) => {
      for (const set of settings) set(tx);
      for (const one of [1, 1]) expect(await queryInTransaction(tx, ASKED, [one])).toEqual([{ sum: 42 }]);
      return queryInTransaction(tx, KEPT, []);
    });
  }

  it('are planned anew each time unless it says otherwise, and then once for a connection', async () => {
    expect(await ask()).toEqual([]);
    expect(await ask(usePreparedStatements)).toHaveLength(1);
  });
});
