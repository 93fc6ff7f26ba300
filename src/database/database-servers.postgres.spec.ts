import { Client } from 'pg';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  randomDatabaseName,
  requireTestServer,
} from '../../test/support/postgres-server';
import { until } from '../../test/support/until';
import { DatabaseUnavailable } from '../kernel/database-unavailable';
import { ConnectionPool } from './connection-pool';
import type { HotStatement } from './database';
import { DatabaseServers, NoWritableServer } from './database-servers';
import { OpenConnections } from './open-connections';
import { PostgresDatabase } from './postgres.database';

/** Nobody listens there. */
const NOBODY = '127.0.0.1:1';
const WRITE: HotStatement = { name: 'spec_write', text: 'create table if not exists written (id int)' };
const ONLY_READ: HotStatement = {
  name: 'spec_only_read',
  text: `select set_config('default_transaction_read_only', 'on', false)`,
};

describe('the servers of DATABASE_URL', () => {
  let name: string;

  beforeEach(async () => {
    name = randomDatabaseName();
    await createDatabase(name);
  });
  afterEach(() => dropDatabase(name));

  /** Connection string of the database that names another server before its own. */
  function withNobodyFirst(): string {
    const { host } = new URL(databaseUrl(name));
    return databaseUrl(name).replace(host, `${NOBODY},${host}`);
  }

  /** Lets the database only read, for who connects from now on. */
  async function onlyReads(value: 'on' | 'off'): Promise<void> {
    const operator = new Client({ connectionString: requireTestServer() });
    await operator.connect();
    await operator.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${value}`);
    await operator.end();
  }

  it('are asked which of them takes writes', async () => {
    const { hostname, port } = new URL(databaseUrl(name));
    expect(await new DatabaseServers(withNobodyFirst()).choose()).toEqual({
      host: hostname,
      port: Number(port),
    });
  });

  it('serve work, probes and migrations although another is named first', async () => {
    const database = await PostgresDatabase.open(withNobodyFirst());
    expect(await database.query(WRITE, [])).toEqual([]);
    expect(await database.probe({ name: 'spec_probe', text: 'select 1 as one' }, [])).toEqual([{ one: 1 }]);
    await database.close();
  });

  it('are named with their reasons when none takes writes', async () => {
    await onlyReads('on');
    const { host } = new URL(databaseUrl(name));
    const choosing = new DatabaseServers(withNobodyFirst()).choose();
    await expect(choosing).rejects.toThrow(NoWritableServer);
    await expect(choosing).rejects.toThrow(
      `no server of DATABASE_URL takes writes: ${NOBODY} connect ECONNREFUSED ${NOBODY}; ${host} only reads`,
    );
  });

  it('keep nothing of connections that were not made', async () => {
    const connections = new OpenConnections();
    const servers = new DatabaseServers('postgresql://postgres@127.0.0.1:1,127.0.0.1:2/ponte');
    const pool = new ConnectionPool(servers, connections);
    await expect(pool.query('select 1')).rejects.toThrow(NoWritableServer);
    expect(connections['clients'].size).toBe(0);
    await pool.end();
  });

  it.each([
    ['one server', (): string => databaseUrl(name)],
    ['several', withNobodyFirst],
  ])('are waited for by a start while they only read (%s)', async (_case, url) => {
    await onlyReads('on');
    const lines: string[] = [];
    const opening = PostgresDatabase.open(url(), {
      forMs: 60_000,
      report: (line) => void lines.push(line),
    });
    await until(() => lines.length > 0);
    await onlyReads('off');
    await (await opening).close();
    expect(lines[0]).toMatch(/^the database of DATABASE_URL is not ready.* only reads$/);
  });

  it.each([
    ['one server', (): string => databaseUrl(name)],
    ['several', withNobodyFirst],
  ])('lose a connection that takes no writes any more (%s)', async (_case, url) => {
    const database = await PostgresDatabase.open(url());
    await database.query(ONLY_READ, []);
    await expect(database.query(WRITE, [])).rejects.toThrow(DatabaseUnavailable);
    // What comes before the connection has been left fails likewise.
    const written = (): Promise<boolean> =>
      database.query(WRITE, []).then(
        () => true,
        (error: unknown) => {
          if (error instanceof DatabaseUnavailable) return false;
          throw error;
        },
      );
    await until(written);
    await database.close();
  });
});
