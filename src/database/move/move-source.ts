import { existsSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { newId } from '../../kernel/identifier';
import { DataDirectory } from '../data-directory';
import { DirectoryLock } from '../directory-lock';
import { migrate, type MigrationTarget } from '../migrations';
import { DatabaseStartError, startErrorOf } from '../start-error';
import { MOVE_MARKER, type MovePart } from './marker';
import {
  COLUMNS,
  digestOf,
  inOrder,
  type MovedTable,
  REFERENCES,
  type ReferenceRow,
  SEQUENCES,
  type TableDigest,
  type TableRow,
  TABLES,
  type TriggerRow,
  TRIGGERS,
} from './tables';

/** Bytes that are copied at once, about. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BLOCK_BYTES = 8192;

interface Marker {
  id: string;
  part: MovePart;
}

/** A part of a table: its blocks from one to before another. */
export interface Blocks {
  from: number;
  to: number;
}

/** The embedded database that is moved, which no service has open. */
export class MoveSource {
  private constructor(
    private readonly pglite: PGlite,
    private readonly lock: DirectoryLock,
  ) {}

  /**
   * Locks the directory and opens its database.
   * @throws DatabaseStartError when a service runs, or there is no database
   */
  static async open(dataDir: string): Promise<MoveSource> {
    const directory = new DataDirectory(dataDir);
    if (!existsSync(directory.cluster))
      throw new DatabaseStartError(`${dataDir} has no embedded database: name its folder with --data-dir`);
    const lock = await DirectoryLock.acquire(dataDir).catch((error: unknown) => {
      throw startErrorOf(error, dataDir);
    });
    try {
      await directory.prepare();
      const pglite = await directory.open((reason) => {
        throw new DatabaseStartError(`the embedded database in ${dataDir} cannot go on: ${reason}`);
      });
      return new MoveSource(pglite, lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.pglite.close();
    await this.lock.release();
  }

  /**
   * Begins the move, or goes on with one that was begun: brings the database up to date first, and from then on no service
   * starts on it, so that its rows stay as they are.
   * @returns the move's identifier, and whether it was begun just now
   * @throws DatabaseStartError when it was moved already
   */
  async begin(): Promise<{ id: string; isNew: boolean }> {
    const marker = await this.marker();
    if (marker?.part === 'moved')
      throw new DatabaseStartError(
        'the database in DATA_DIR was moved already: nothing is to be done; to move it anew, run `ponte move-to --give-up` first',
      );
    if (marker) return { id: marker.id, isNew: false };
    await migrate(migrationTarget(this.pglite));
    const id = newId();
    await this.pglite.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ($1, $1, $2, 'source')`,
      [id, MOVE_MARKER],
    );
    return { id, isNew: true };
  }

  /** The move is complete: from now on no service starts here. */
  async complete(): Promise<void> {
    await this.pglite.query(`UPDATE _prisma_migrations SET logs = 'moved' WHERE migration_name = $1`, [
      MOVE_MARKER,
    ]);
  }

  /** Lets a service start here again. @returns whether there was a move */
  async giveUp(): Promise<boolean> {
    const marker = await this.marker();
    await this.pglite.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [MOVE_MARKER]);
    return marker !== undefined;
  }

  async rows<Row>(sql: string): Promise<Row[]> {
    return (await this.pglite.query<Row>(sql)).rows;
  }

  /** The tables that parts of others are, and their bounds. */
  async parts(): Promise<TableRow[]> {
    return (await this.rows<TableRow>(TABLES)).filter(({ parent }) => parent !== null);
  }

  /** Every table, each after those that its rows name. */
  async tables(): Promise<MovedTable[]> {
    const tables = await this.rows<TableRow>(TABLES);
    const columns = await this.rows<{ table: string; column: string }>(COLUMNS);
    const references = await this.rows<ReferenceRow>(REFERENCES);
    const names = tables.map(({ name }) => name);
    return inOrder(names, references).map((table) => ({
      name: `"${table}"`,
      columns: columns.filter((each) => each.table === table).map(({ column }) => column),
    }));
  }

  /** A table in parts of some megabytes, the values that are stored apart included. */
  async blocks({ name }: MovedTable, from: number): Promise<Blocks[]> {
    const [size] = await this.rows<{ blocks: number; bytes: number }>(
      `SELECT (pg_relation_size('${name}') / ${BLOCK_BYTES})::int AS blocks, pg_table_size('${name}')::float8 AS bytes`,
    );
    const { blocks = 0, bytes = 0 } = size ?? {};
    const step = Math.max(1, Math.floor(BATCH_BYTES / Math.max(1, bytes / Math.max(1, blocks))));
    const parts: Blocks[] = [];
    for (let at = from; at < blocks; at += step) parts.push({ from: at, to: Math.min(blocks, at + step) });
    return parts;
  }

  /** The rows in blocks of a table in the text form of COPY, which every version of PostgreSQL reads alike. */
  async copy({ name, columns }: MovedTable, { from, to }: Blocks): Promise<Buffer> {
    const { blob } = await this.pglite.query(
      `COPY (SELECT ${columns.join()} FROM ${name} WHERE ctid >= '(${from},0)' AND ctid < '(${to},0)') TO '/dev/blob'`,
    );
    // Blocks without a row give no blob; a row that got lost is found when the tables are compared.
    return blob ? Buffer.from(await blob.arrayBuffer()) : Buffer.alloc(0);
  }

  async digest(table: MovedTable): Promise<TableDigest | undefined> {
    const [digest] = await this.rows<TableDigest>(digestOf(table));
    return digest;
  }

  triggers(): Promise<TriggerRow[]> {
    return this.rows<TriggerRow>(TRIGGERS);
  }

  /** Statements that put the other database's sequences where these are. */
  async sequences(): Promise<string[]> {
    const names = await this.rows<{ name: string }>(SEQUENCES);
    const statements: string[] = [];
    for (const { name } of names) {
      const [at] = await this.rows<{ last: string; called: boolean }>(
        `SELECT last_value::text AS last, is_called AS called FROM ${name}`,
      );
      if (at) statements.push(`SELECT setval('${name}', ${at.last}, ${at.called})`);
    }
    return statements;
  }

  private async marker(): Promise<Marker | undefined> {
    const [found] = await this.rows<Marker>(
      `SELECT checksum AS id, logs AS part FROM _prisma_migrations WHERE migration_name = '${MOVE_MARKER}'`,
    );
    return found;
  }
}

function migrationTarget(pglite: PGlite): MigrationTarget {
  return {
    transaction: (work) =>
      pglite.transaction((tx) =>
        work({
          script: async (sql) => void (await tx.exec(sql)),
          rows: async <Row>(sql: string, values: readonly unknown[] = []) =>
            (await tx.query<Row>(sql, [...values])).rows,
        }),
      ),
  };
}
