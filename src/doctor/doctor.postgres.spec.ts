import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { testDatabasePlace, type TestDatabasePlace } from '../../test/support/database';
import { requireTestServer } from '../../test/support/postgres-server';
import { TransactionPooler } from '../../test/support/transaction-pooler';
import { freePort, ServerPrograms } from '../../test/system/replica-trials/server-programs';
import { sealText } from '../config/sealing';
import { PostgresDatabase } from '../database/postgres.database';
import { SourcesRepository } from '../deliveries/sources.repository';
import { newId } from '../kernel/identifier';
import type { Level } from './finding';
import { examine } from './doctor';
import { runDoctor } from './run-doctor';

const CONFIG_DIR = join(__dirname, '../../config');

let place: TestDatabasePlace;
let url: string;

beforeEach(async () => {
  place = await testDatabasePlace();
  url = place.environment['DATABASE_URL']!;
});
afterEach(() => place.drop());

/** What one check found: level and words. */
async function found(
  check: string,
  env: Record<string, string> = {},
  replicas = 2,
): Promise<[Level, string][]> {
  const findings = await examine({ ...place.environment, CONFIG_DIR, ...env }, replicas);
  return findings.filter((one) => one.check === check).map(({ level, what }) => [level, what]);
}

async function sql(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Sets something for all connections to the database. */
async function set(setting: string): Promise<void> {
  await sql(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET ${setting}`);
}

describe('ponte doctor on a PostgreSQL server', () => {
  it('fails a server that knows the letters of no language but English', async () => {
    expect(await found('letters')).toEqual([['ok', 'the server knows the letters of Unicode']]);
    await sql('DROP COLLATION pg_catalog."und-x-icu"');
    expect(await found('letters')).toEqual([['fail', 'the server was built without ICU']]);
  });

  it('fails nothing of a database that is up to date, and names its newest migration', async () => {
    const findings = await examine({ ...place.environment, CONFIG_DIR }, 2);
    const failing = findings.filter(({ level }) => level === 'fail').map(({ what }) => what);
    // A server for tests may be set not to wait for its disk, which is true of it and not of the database.
    expect(failing.filter((what) => !/^(fsync|full_page_writes) is off: /.test(what))).toEqual([]);
    expect(await found('migrations')).toEqual([
      ['ok', expect.stringMatching(/^\d+ are applied, the newest is \d{14}_\w+; none would run$/)],
    ]);
    expect(await found('secrets')).toEqual([['ok', 'SECRETS_KEY decrypts all 0 stored secrets']]);
    expect(await found('time-outs')).toEqual([['ok', 'none cuts the work short']]);
  });

  it.each<[string, string, Level, string]>([
    ["statement_timeout = '2s'", 'time-outs', 'warn', 'statement_timeout is 2000 ms'],
    ["lock_timeout = '500ms'", 'time-outs', 'warn', 'lock_timeout is 500 ms'],
    [
      "idle_in_transaction_session_timeout = '1s'",
      'time-outs',
      'warn',
      'idle_in_transaction_session_timeout is 1000 ms',
    ],
    ["idle_session_timeout = '5s'", 'time-outs', 'warn', 'idle_session_timeout is 5000 ms'],
    ['synchronous_commit = off', 'durability', 'fail', 'synchronous_commit is off'],
    [
      "default_transaction_isolation = 'serializable'",
      'durability',
      'fail',
      'default_transaction_isolation is serializable',
    ],
    ['default_transaction_read_only = on', 'writable', 'fail', 'default_transaction_read_only is on'],
  ])('finds %s', async (setting, check, level, words) => {
    await set(setting);
    expect(await found(check)).toContainEqual([level, expect.stringContaining(words)]);
  });

  it('says of several servers what each is, and that no standby is synchronous', async () => {
    const { host } = new URL(url);
    const DATABASE_URL = url.replace(host, `127.0.0.1:1,${host}`);
    expect(await found('servers', { DATABASE_URL })).toEqual([
      ['warn', expect.stringMatching(/^127.0.0.1:1 cannot be used: .*ECONNREFUSED/)],
      ['ok', `${host} takes the writes`],
    ]);
    expect(await found('durability', { DATABASE_URL })).toContainEqual([
      'warn',
      expect.stringContaining('no standby is synchronous'),
    ]);
    // Both names lead to the same server, which is as if two took writes.
    const twice = { DATABASE_URL: url.replace(host, `${host},localhost:${new URL(url).port}`) };
    expect((await found('servers', twice)).map(([level]) => level)).toEqual(['fail', 'fail']);
  });

  it('finds a pooler that loses what connections are set to', async () => {
    const pooler = await TransactionPooler.to(url);
    try {
      expect(await found('time-outs', { DATABASE_URL: pooler.url })).toContainEqual([
        'fail',
        expect.stringContaining('connections lose what Ponte sets'),
      ]);
    } finally {
      await pooler.close();
    }
  });

  it('names the migrations that would run, and the large tables in them', async () => {
    await sql(
      `DELETE FROM _prisma_migrations WHERE migration_name ~ '_fewer_indexes$'`,
      `UPDATE pg_class SET reltuples = 5000000 WHERE relname = 'run'`,
    );
    expect(await found('migrations')).toEqual([
      [
        'warn',
        expect.stringMatching(/^\d{14}_fewer_indexes would run, .*: run \(about 5000000 rows, [^()]*\)$/),
      ],
    ]);
  });

  it('fails where a newer version was at work, or a migration was changed', async () => {
    await sql(`UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name ~ '_fewer_indexes$'`);
    expect(await found('migrations')).toEqual([['fail', expect.stringContaining('was changed after')]]);
    await sql(`UPDATE _prisma_migrations SET migration_name = '99990101000000_later' WHERE checksum = 'x'`);
    expect(await found('migrations')).toEqual([['fail', expect.stringContaining('does not know')]]);
  });

  it('says whether SECRETS_KEY is the one that secrets were stored with', async () => {
    const database = await PostgresDatabase.open(url);
    const organization = { id: newId(), slug: 'main', name: 'Main', timeZone: 'UTC', currency: 'BRL' };
    await database.prisma.organization.create({ data: organization });
    const id = newId();
    const data = { id, organizationId: organization.id, slug: 's', provider: 'shopify', settings: {} };
    await database.prisma.source.create({ data: { ...data, secrets: randomBytes(40) } });
    expect(await found('secrets')).toEqual([['fail', expect.stringContaining('cannot be decrypted')]]);

    const sources = new SourcesRepository(database);
    const [record] = await sources.sealedRecords(undefined, 1);
    const current = Buffer.from(place.environment['SECRETS_KEY']!, 'base64');
    await sources.replaceSealed(record!, sealText('[]', record!.boundTo, { current, previous: [] }));
    await database.close();
    expect(await found('secrets')).toEqual([['ok', 'SECRETS_KEY decrypts all 1 stored secrets']]);
  });

  it('fails where replicas need more connections than the server gives', async () => {
    expect(await found('connections', {}, 2)).toEqual([['ok', expect.stringContaining('2 processes')]]);
    expect(await found('connections', {}, 900)).toEqual([['fail', expect.stringContaining('10803')]]);
    await sql(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" CONNECTION LIMIT 20`);
    expect(await found('connections', {}, 2)).toEqual([
      ['fail', '2 processes need up to 27 of the 20 that the server gives'],
    ]);
  });

  it('changes nothing, and says of an empty database what the first start would do', async () => {
    await sql('DROP SCHEMA public CASCADE', 'CREATE SCHEMA public');
    expect(await found('migrations')).toEqual([['ok', expect.stringContaining('the database is empty')]]);
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
    );
    await client.end();
    expect(rows).toEqual([]);
  });

  it.each([
    ['a server that is not there', () => 'postgresql://ponte:s3cret@127.0.0.1:1/ponte'],
    ['several that are not there', () => 'postgresql://ponte:s3cret@127.0.0.1:1,127.0.0.1:2/ponte'],
    ['no such database', () => requireTestServer().replace(/[^/]*$/, 'there_is_none')],
  ])('fails on %s, without the password', async (_case, address) => {
    const texts: string[] = [];
    const env = { ...place.environment, CONFIG_DIR, DATABASE_URL: address() };
    expect(await runDoctor([], env, (text) => void texts.push(text))).toBe(1);
    expect(texts.join('')).toMatch(/^fail {2}database: DATABASE_URL cannot be used: /m);
    expect(texts.join('')).not.toContain('s3cret');
  });

  it('fails on a server that does not write through to its disk', async () => {
    const programs = await ServerPrograms.inNewFolder();
    const port = await freePort();
    const data = join(programs.folder, 'data');
    await programs.init(data);
    await programs.start(data, port, '-c fsync=off -c full_page_writes=off -c max_connections=25');
    try {
      const env = { DATABASE_URL: `postgresql://postgres@127.0.0.1:${port}/postgres` };
      expect(await found('durability', env)).toEqual([
        ['fail', expect.stringContaining('fsync is off')],
        ['fail', expect.stringContaining('full_page_writes is off')],
      ]);
      expect(await found('connections', env)).toEqual([['fail', expect.stringContaining('of the 22')]]);
    } finally {
      await programs.stopAtOnce(data);
      await programs.removeFolder();
    }
  });
});
