import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../../src/config/settings';
import type { PrismaClient } from '../../src/database/client/client';
import { DataDirectory } from '../../src/database/data-directory';
import { type Channel, Database, type HotStatement } from '../../src/database/database';
import type { AnswerDelays } from '../../src/database/open-connections';
import { PgliteDatabase } from '../../src/database/pglite.database';
import { PostgresDatabase } from '../../src/database/postgres.database';
import type { Transaction } from '../../src/database/transaction';
import { openCopyOf, TEMPLATES } from './database-image';
import { EMBEDDED_TEMPLATE, POSTGRES_TEMPLATE, templateIn } from './database-template';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  randomDatabaseName,
  TEST_SERVER,
} from './postgres-server';

/** A fresh, migrated place for a database, to be opened by whoever is tested. */
export interface TestDatabasePlace {
  /** What names it in the environment: `DATABASE_URL` and `SECRETS_KEY`, or `DATA_DIR`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Removes it; close what was opened on it before. */
  drop(): Promise<void>;
}

/**
 * A fresh, migrated database: in memory, or on the server of `TEST_DATABASE_URL`. Closing it drops it. Opening
 * one takes less than half a second; a spec that does not need to be alone in it shares one between its tests.
 */
export async function openTestDatabase(): Promise<Database> {
  if (!TEST_SERVER) return openInMemory();
  const name = await createFromTemplate();
  return new TestDatabase(await PostgresDatabase.open(databaseUrl(name)), () => dropDatabase(name));
}

/**
 * Several connections of replicas to one fresh PostgreSQL database, for `*.postgres.spec.ts`. Closing all of
 * them drops it.
 */
export async function openTestReplicas(count: number): Promise<Database[]> {
  const name = await createFromTemplate();
  let open = count;
  const closed = async (): Promise<void> => {
    if (--open === 0) await dropDatabase(name);
  };
  return Promise.all(
    Array.from(
      { length: count },
      async () => new TestDatabase(await PostgresDatabase.open(databaseUrl(name)), closed),
    ),
  );
}

/** A place for tests that start the whole service, or a process of its own. */
export async function testDatabasePlace(): Promise<TestDatabasePlace> {
  if (TEST_SERVER) {
    const name = await createFromTemplate();
    return {
      environment: { DATABASE_URL: databaseUrl(name), SECRETS_KEY: randomBytes(32).toString('base64') },
      drop: () => dropDatabase(name),
    };
  }
  const { dataDir, drop } = await embeddedDataDir();
  return { environment: { DATA_DIR: dataDir }, drop };
}

/** A fresh, migrated data directory of the embedded database, whatever the run is on. */
export async function embeddedDataDir(): Promise<{ dataDir: string; drop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'ponte-'));
  const dataDir = join(folder, 'data');
  const template = templateIn(EMBEDDED_TEMPLATE);
  const { cluster } = new DataDirectory(template);
  const leftOut = TEMPLATES.map((folder) => join(cluster, folder));
  // All at once: a promise for each of many hundred files takes longer than copying them.
  cpSync(template, dataDir, { recursive: true, filter: (path) => !leftOut.includes(path) });
  return { dataDir, drop: () => rm(folder, { recursive: true, force: true }) };
}

/** Settings as the environment would give them; quiet, and on a free port. */
export function testSettings(environment: Readonly<Record<string, string>> = {}): Settings {
  return new Settings({ PORT: '0', LOG_LEVEL: 'silent', LOG_FORMAT: 'json', ...environment });
}

async function openInMemory(): Promise<Database> {
  return PgliteDatabase.over(await openCopyOf(new DataDirectory(templateIn(EMBEDDED_TEMPLATE)).cluster));
}

async function createFromTemplate(): Promise<string> {
  const name = randomDatabaseName();
  await createDatabase(name, templateIn(POSTGRES_TEMPLATE));
  return name;
}

/** A database that records when it has been closed. */
class TestDatabase extends Database {
  private closing?: Promise<void>;

  constructor(
    private readonly database: Database,
    private readonly closed: () => Promise<void>,
  ) {
    super();
  }

  override get parallel(): boolean {
    return this.database.parallel;
  }

  override get prisma(): PrismaClient {
    return this.database.prisma;
  }

  override transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }

  override query<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.database.query(statement, values);
  }

  override probe<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.database.probe(statement, values);
  }

  override notify(channel: Channel): Promise<void> {
    return this.database.notify(channel);
  }

  override listen(channel: Channel, heard: () => void): void {
    this.database.listen(channel, heard);
  }

  override delays(): AnswerDelays {
    return this.database.delays();
  }

  override close(): Promise<void> {
    this.closing ??= this.database.close().then(this.closed);
    return this.closing;
  }
}
