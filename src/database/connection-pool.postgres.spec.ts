import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  randomDatabaseName,
} from '../../test/support/postgres-server';
import { until } from '../../test/support/until';
import { ConnectionPool, migrationPool } from './connection-pool';
import { DatabaseServers } from './database-servers';
import { WatchedClient } from './watched-client';

const name = randomDatabaseName();

beforeAll(() => createDatabase(name));
afterAll(() => dropDatabase(name));

describe('a connection of the service', () => {
  it.each([
    ['work', () => new ConnectionPool(new DatabaseServers(databaseUrl(name)))],
    ['migrations', () => migrationPool(new DatabaseServers(databaseUrl(name)))],
  ])('for %s may break at a moment when nobody listens to it', async (_name, open) => {
    const pool = open();
    const operator = new ConnectionPool(new DatabaseServers(databaseUrl(name)));
    // Taken, as by Prisma between being given a connection and listening to it.
    const client = await pool.connect();
    expect(client).toBeInstanceOf(WatchedClient);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await operator.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await until(() => (client as unknown as WatchedClient).brokenBy !== undefined);
    await expect(client.query('select 1')).rejects.toThrow('not queryable');
    client.release();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await Promise.all([pool.end(), operator.end()]);
  });

  it('that broke says by what to the work that it was in', async () => {
    const pool = new ConnectionPool(new DatabaseServers(databaseUrl(name)));
    const client = await pool.connect();
    await client.query('begin; set local idle_in_transaction_session_timeout = 100');
    await until(() => (client as unknown as WatchedClient).brokenBy !== undefined);
    expect((client as unknown as WatchedClient).brokenBy).toMatchObject({ code: '25P03' });
    client.release();
    await pool.end();
  });
});
