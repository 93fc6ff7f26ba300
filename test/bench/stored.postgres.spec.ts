import { Client } from 'pg';
import { differenceOf, readStored } from '../../bench/stored';
import { createDatabase, databaseUrl, dropDatabase, randomDatabaseName } from '../support/postgres-server';

describe('what is counted of a database', () => {
  const name = randomDatabaseName();
  const withDatabase = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: databaseUrl(name) });
    await client.connect();
    return work(client).finally(() => client.end());
  };

  beforeAll(() => createDatabase(name));
  afterAll(() => dropDatabase(name));

  it('are rows, entries of indexes and bytes, those of partial indexes as they are at the end', async () => {
    await withDatabase((client) =>
      client.query(`create table thing (id int primary key, note text) with (autovacuum_enabled = off);
        create index noted on thing (note) where note is not null;`),
    );
    const before = await withDatabase(readStored);
    await withDatabase(async (client) => {
      await client.query(
        `insert into thing select n, case when n <= 10 then 'x' end from generate_series(1, 40) n`,
      );
      await client.query(`update thing set id = -id where id <= 2`);
      await client.query(`select pg_stat_force_next_flush()`);
    });
    const { tables, indexes, walBytes } = differenceOf(before, await withDatabase(readStored), 20);
    expect(tables).toEqual([
      { name: 'thing', rows: 2, updated: 0.1, hot: 0, bytes: expect.any(Number) as number },
    ]);
    expect(indexes).toEqual([
      { name: 'noted', entries: 0.5, bytes: expect.any(Number) as number },
      { name: 'thing_pkey', entries: 2.1, bytes: expect.any(Number) as number },
    ]);
    expect(tables[0]!.bytes).toBeGreaterThan(0);
    expect(walBytes).toBeGreaterThan(0);
  });
});
