import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { connectionConfig, migrationPool } from '../connection-pool';
import { DatabaseServers } from '../database-servers';
import { migrate } from '../migrations';
import { OpenConnections } from '../open-connections';
import { poolMigrationTarget } from '../pool-migrations';
import { DatabaseStartError, reasonOf } from '../start-error';
import { runOn } from '../statement-pool';
import { WatchedClient } from '../watched-client';
import { MOVE_MARKER } from './marker';
import {
  digestOf,
  MIGRATIONS,
  type MovedTable,
  PROGRESS,
  type TableDigest,
  type TableRow,
  TABLES,
  triggerDifference,
  type TriggerRow,
  TRIGGERS,
} from './tables';

/** Any number that nothing else takes. */
const LOCK = 72_707_371;

/** Tables that migrations put rows into; whatever else has rows has been worked with. */
const FILLED_BY_MIGRATIONS = ['catalog_revision', 'feed_head'];

/** For as long as it takes: tables are read whole. A lock is not waited for long, because nobody else may be here. */
const SESSION = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s';
  SET client_encoding = 'UTF8'; SET datestyle = 'ISO, MDY'; SET intervalstyle = 'postgres'; SET timezone = 'UTC';
  SET bytea_output = 'hex'; SET extra_float_digits = 1`;

/** The PostgreSQL database that a move fills. */
export class MoveTarget {
  private constructor(
    private readonly client: WatchedClient,
    private readonly servers: DatabaseServers,
  ) {}

  /** @throws DatabaseStartError when it cannot be reached, another move is at work in it, or it is not in UTF-8 */
  static async open(databaseUrl: string): Promise<MoveTarget> {
    const servers = new DatabaseServers(databaseUrl);
    const client = new WatchedClient(new OpenConnections(), {
      ...connectionConfig(servers),
      application_name: 'ponte move-to',
      // Comparing a large table takes as long as it takes.
      answerMs: Infinity,
    });
    // Whatever is asked of it next fails with it.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.begin(SESSION);
      const { rows } = await client.query<{ locked: boolean; encoding: string }>(
        `SELECT pg_try_advisory_lock(${LOCK}) AS locked, current_setting('server_encoding') AS encoding`,
      );
      if (!rows[0]?.locked)
        throw new DatabaseStartError('another `ponte move-to` is at work in this database');
      if (rows[0].encoding !== 'UTF8')
        throw new DatabaseStartError(
          `the database has the encoding ${rows[0].encoding}: make one with ENCODING 'UTF8'`,
        );
      return new MoveTarget(client, servers);
    } catch (error) {
      await client.end().catch(() => undefined);
      if (error instanceof DatabaseStartError) throw error;
      throw new DatabaseStartError(`the database that is moved to cannot be used: ${reasonOf(error)}`);
    }
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /**
   * Makes the tables and marks the database, or goes on where the same move was interrupted.
   * @param migrations those of the source, which have to be the same
   * @returns whether the move was complete already
   * @throws DatabaseStartError when it has tables or records that are not of this move
   */
  async begin(id: string, migrations: readonly object[]): Promise<'begun' | 'complete'> {
    const marker = await this.marker();
    if (marker?.checksum === id) {
      if (marker.complete) return 'complete';
    } else if (marker && !marker.complete) {
      throw new DatabaseStartError(
        'the database has a part of another move: make an empty one, or drop it and make it anew',
      );
    } else {
      await this.makeTables();
      await this.transaction(() => this.mark(id));
    }
    if (JSON.stringify(await this.rows(MIGRATIONS)) !== JSON.stringify(migrations))
      throw new DatabaseStartError(
        'the two databases were made by different versions of Ponte: give the move up (--give-up), and move into an empty database',
      );
    return 'begun';
  }

  /** Makes the tables that parts of others are, where they are not there. */
  async makeParts(parts: readonly TableRow[]): Promise<void> {
    const existing = new Set((await this.rows<TableRow>(TABLES)).map(({ name }) => name));
    for (const { name, parent, bound } of parts)
      if (!existing.has(name))
        await this.transaction(async () => {
          await this.client.query(`CREATE TABLE "${name}" (LIKE ${parent} INCLUDING ALL)`);
          await this.client.query(`ALTER TABLE ${parent} ATTACH PARTITION "${name}" ${bound}`);
        });
  }

  /** The first block of a table that has not arrived. */
  async nextBlock({ name }: MovedTable): Promise<number> {
    const { rows } = await this.client.query<{ next: number }>(
      `SELECT next_block AS next FROM ${PROGRESS} WHERE table_name = $1`,
      [name],
    );
    return rows[0]?.next ?? 0;
  }

  /** Stores rows in the text form of COPY, and how far they go, in one transaction. */
  async store({ name, columns }: MovedTable, rows: Buffer, nextBlock: number): Promise<void> {
    await this.transaction(async () => {
      if (rows.length > 0) await this.copy(`COPY ${name} (${columns.join()}) FROM STDIN`, rows);
      await this.client.query(
        `INSERT INTO ${PROGRESS} (table_name, next_block) VALUES ($1, $2)
         ON CONFLICT (table_name) DO UPDATE SET next_block = excluded.next_block`,
        [name, nextBlock],
      );
    });
  }

  async digest(table: MovedTable): Promise<TableDigest | undefined> {
    const [digest] = await this.rows<TableDigest>(digestOf(table));
    return digest;
  }

  /** Runs a statement; columns come back as `Database.query` says. */
  rows<Row>(sql: string): Promise<Row[]> {
    return runOn<Row>(this.client, { text: sql }, []);
  }

  /**
   * From now on a service starts here.
   * @param sequences statements that put the sequences where they have to be
   * @param triggers those of the source
   * @throws DatabaseStartError when not the same triggers act here: then the move is not complete
   */
  async complete(sequences: readonly string[], triggers: readonly TriggerRow[]): Promise<void> {
    await this.transaction(async () => {
      for (const statement of sequences) await this.client.query(statement);
      await this.triggers('ENABLE');
      // Without them nothing would fail: counts and balances would stand still, and the ledger could be changed.
      const difference = triggerDifference(triggers, await this.rows<TriggerRow>(TRIGGERS));
      if (difference !== undefined)
        throw new DatabaseStartError(
          `the rows are there, but ${difference} in the database that was moved to: find out who changes its triggers, and run ` +
            'the command again; or make an empty database and move into that, after `ponte move-to --give-up`',
        );
      await this.client.query(`DROP TABLE ${PROGRESS}`);
      // A row that is rolled back is none to whoever reads migrations, and says to this command that the move was complete.
      await this.client.query(
        'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1',
        [MOVE_MARKER],
      );
    });
    await this.client.query('ANALYZE');
  }

  private async makeTables(): Promise<void> {
    const pool = migrationPool(this.servers);
    try {
      await migrate(poolMigrationTarget(pool));
    } finally {
      await pool.end();
    }
  }

  /** @throws DatabaseStartError when there are rows that migrations have not made */
  private async mark(id: string): Promise<void> {
    const tables = (await this.rows<TableRow>(TABLES)).map(({ name }) => name);
    for (const table of tables.filter((name) => !FILLED_BY_MIGRATIONS.includes(name))) {
      const [found] = await this.rows<{ filled: boolean }>(
        `SELECT EXISTS (SELECT FROM "${table}") AS filled`,
      );
      if (found?.filled)
        throw new DatabaseStartError(
          `the database has records of Ponte already (in ${table}): move into an empty one`,
        );
    }
    await this.client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ($1, $1, $2, 'target')`,
      [id, MOVE_MARKER],
    );
    await this.client.query(
      `CREATE TABLE ${PROGRESS} (table_name text PRIMARY KEY, next_block integer NOT NULL)`,
    );
    // What triggers maintain is copied as well, and must not be made a second time.
    await this.triggers('DISABLE');
    for (const table of FILLED_BY_MIGRATIONS) await this.client.query(`DELETE FROM "${table}"`);
  }

  private async marker(): Promise<{ checksum: string; complete: boolean } | undefined> {
    const [found] = await this.rows<{ history: boolean }>(
      `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS history`,
    );
    if (!found?.history) return undefined;
    const [marker] = await this.rows<{ checksum: string; complete: boolean }>(
      `SELECT checksum, rolled_back_at IS NOT NULL AS complete FROM _prisma_migrations
       WHERE migration_name = '${MOVE_MARKER}' ORDER BY started_at DESC LIMIT 1`,
    );
    return marker;
  }

  /** Those of migrations, which the owner of the tables may switch; PostgreSQL's own, of foreign keys, stay on. */
  private async triggers(word: 'ENABLE' | 'DISABLE'): Promise<void> {
    const tables = await this.rows<{ name: string }>(`
      SELECT DISTINCT t.tgrelid::regclass::text AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT t.tgisinternal AND c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace ORDER BY 1`);
    for (const { name } of tables) await this.client.query(`ALTER TABLE ${name} ${word} TRIGGER USER`);
  }

  private async copy(statement: string, rows: Buffer): Promise<void> {
    await pipeline(Readable.from([rows]), this.client.query(copyFrom(statement)));
  }

  private async transaction(work: () => Promise<void>): Promise<void> {
    await this.client.query('BEGIN');
    try {
      await work();
      await this.client.query('COMMIT');
    } catch (error) {
      await this.client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}
