import { Client } from 'pg';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  randomDatabaseName,
  requireTestServer,
} from '../../test/support/postgres-server';
import { BreakableRoute } from '../../test/support/breakable-route';
import { TransactionPooler } from '../../test/support/transaction-pooler';
import { until } from '../../test/support/until';
import { PostgresDatabase } from './postgres.database';
import { DatabaseStartError } from './start-error';

describe('a start', () => {
  let name: string;
  let lines: string[];
  const patience = { forMs: 60_000, report: (line: string): void => void lines.push(line) };

  beforeEach(async () => {
    lines = [];
    name = randomDatabaseName();
    await createDatabase(name);
  });
  afterEach(() => dropDatabase(name));

  it('waits for a server that is not there yet, with a line for each try', async () => {
    const way = await BreakableRoute.to(databaseUrl(name));
    await way.cut();
    const opening = PostgresDatabase.open(way.url, patience);
    await until(() => lines.length >= 2);
    await way.mend();
    await (await opening).close();
    await way.cut();
    for (const line of lines)
      expect(line).toMatch(/^the database of DATABASE_URL is not ready.*ECONNREFUSED/);
  });

  it('refuses an empty database where stored books are to be read, and leaves it empty', async () => {
    const open = (): Promise<PostgresDatabase> =>
      PostgresDatabase.open(databaseUrl(name), { ...patience, onlyStored: true });
    await expect(open()).rejects.toThrow(
      'the database of DATABASE_URL is empty: name the one that has the books',
    );
    const client = new Client({ connectionString: databaseUrl(name) });
    await client.connect();
    const { rows } = await client.query<{ tables: string }>(
      'SELECT count(*) AS tables FROM pg_tables WHERE schemaname = current_schema()',
    );
    await client.end();
    expect(rows).toEqual([{ tables: '0' }]);

    await (await PostgresDatabase.open(databaseUrl(name), patience)).close();
    await (await open()).close();
  });

  it('waits for a server that takes no more connections', async () => {
    const server = new Client({ connectionString: requireTestServer() });
    await server.connect();
    try {
      await server.query(`CREATE ROLE "${name}" LOGIN PASSWORD 's3cret' CONNECTION LIMIT 0`);
      await server.query(`ALTER DATABASE "${name}" OWNER TO "${name}"`);
      const url = new URL(databaseUrl(name));
      url.username = name;
      url.password = 's3cret';
      const opening = PostgresDatabase.open(url.href, patience);
      await until(() => lines.length >= 1);
      await server.query(`ALTER ROLE "${name}" CONNECTION LIMIT -1`);
      await (await opening).close();
      expect(lines.join()).toContain('too many connections');
      expect(lines.join()).not.toContain('s3cret');
    } finally {
      await dropDatabase(name);
      await server.query(`DROP ROLE IF EXISTS "${name}"`);
      await server.end();
    }
  });

  it('says that a pooler in transaction mode loses what connections are set to', async () => {
    const pooler = await TransactionPooler.to(databaseUrl(name));
    try {
      await (await PostgresDatabase.open(pooler.url, patience)).close();
    } finally {
      await pooler.close();
    }
    expect(lines).toEqual([
      expect.stringMatching(
        /^connections of DATABASE_URL lose what Ponte sets \(.*idle_in_transaction_session_timeout, lock_timeout, statement_timeout.*\): .* session mode/,
      ),
    ]);
  });

  it('says nothing where connections keep what they are set to', async () => {
    await (await PostgresDatabase.open(databaseUrl(name), patience)).close();
    expect(lines).toEqual([]);
  });

  it('does not wait for ever', async () => {
    const opening = PostgresDatabase.open('postgresql://ponte@127.0.0.1:1/ponte', {
      ...patience,
      forMs: 1_000,
    });
    await expect(opening).rejects.toThrow(/^the database of DATABASE_URL cannot be used: /);
    expect(lines.length).toBeGreaterThan(0);
  });

  it.each([
    ['a database that is not there', (url: URL) => (url.pathname = '/no_such_database')],
    ['a user that is not there', (url: URL) => (url.username = 'no_such_user')],
  ])('is refused at once by %s', async (_name, change) => {
    const url = new URL(databaseUrl(name));
    change(url);
    const opening = PostgresDatabase.open(url.href, patience);
    await expect(opening).rejects.toBeInstanceOf(DatabaseStartError);
    expect(lines).toEqual([]);
  });
});
