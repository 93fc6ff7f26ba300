import type { PGlite } from '@electric-sql/pglite';
import { DataDirectory } from './data-directory';
import type { HotStatement } from './database';
import { DirectoryLock } from './directory-lock';
import { EmbeddedUpkeep } from './embedded-upkeep';
import { migrate, type MigrationTarget } from './migrations';
import { runOnPglite } from './pglite-statements';
import { PgliteAdapter } from './pglite.adapter';
import { PrismaDatabase } from './prisma.database';
import { DatabaseStartError, reasonOf } from './start-error';

/**
 * PostgreSQL inside this process: one connection, so that statements and transactions run one after another. It survives
 * a killed process; it does not write through to the disk, so a power cut may lose what was committed last.
 */
export class PgliteDatabase extends PrismaDatabase {
  override readonly parallel = false;
  private readonly upkeep: EmbeddedUpkeep;

  private constructor(
    private readonly pglite: PGlite,
    private readonly letGo: () => Promise<void>,
  ) {
    super(new PgliteAdapter(pglite));
    this.upkeep = new EmbeddedUpkeep(pglite);
  }

  /**
   * Locks `dataDir`, opens the database in it (making it first if need be) and brings it up to date.
   * @param onStage called as each stage begins, with one line
   * @throws DatabaseStartError when the directory is in use, another version made it, or migrations do not fit
   */
  static async open(
    dataDir: string,
    onStage: (line: string) => void = () => undefined,
  ): Promise<PgliteDatabase> {
    const directory = new DataDirectory(dataDir);
    onStage(
      `opening the embedded database in ${dataDir}; the first time it is made, which takes some seconds`,
    );
    await directory.make();
    const lock = await DirectoryLock.acquire(dataDir).catch((error: unknown) => {
      throw startErrorOf(error, dataDir);
    });
    try {
      await directory.prepare();
      const pglite = await directory.open();
      onStage('bringing the database up to date');
      const database = await PgliteDatabase.over(pglite, () => lock.release());
      database.upkeep.start();
      return database;
    } catch (error) {
      await lock.release().catch(() => undefined);
      throw startErrorOf(error, dataDir);
    }
  }

  /**
   * Over an instance that is open already, and brings it up to date. Closing closes the instance. Nobody looks
   * after it in the background: that is for a database that lives on.
   * @param letGo called after closing
   */
  static async over(pglite: PGlite, letGo = (): Promise<void> => Promise.resolve()): Promise<PgliteDatabase> {
    try {
      await migrate(pgliteMigrationTarget(pglite));
      // Array types made by a migration are unknown to PGlite until it reads them anew.
      await pglite.refreshArrayTypes();
      await forgetUnusedArrays(pglite);
      return new PgliteDatabase(pglite, letGo);
    } catch (error) {
      await pglite.close();
      throw error;
    }
  }

  override notify(): Promise<void> {
    return Promise.resolve();
  }

  override listen(): void {
    // Nobody else has this database open.
  }

  protected override run<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    return runOnPglite<Row>(this.pglite, this.pglite, statement, values);
  }

  protected override async closeDriver(): Promise<void> {
    await this.upkeep.stop();
    try {
      await this.pglite.close();
    } finally {
      await this.letGo();
    }
  }
}

/** What the system refuses (no space, read-only, not allowed) is one line; what nobody expected keeps its trace. */
function startErrorOf(error: unknown, dataDir: string): unknown {
  if (typeof error !== 'object' || error === null || !('syscall' in error)) return error;
  return new DatabaseStartError(`DATA_DIR ${dataDir} cannot be used: ${reasonOf(error)}`);
}

/** PostgreSQL's own types of which a statement may ask for an array. */
const IN_ARRAYS = [
  ...['bool', 'bytea', 'name', 'int2', 'int4', 'int8', 'oid', 'text', 'varchar', 'bpchar', 'json', 'jsonb'],
  ...['float4', 'float8', 'numeric', 'date', 'time', 'timestamp', 'timestamptz', 'uuid'],
];

/**
 * Leaves PGlite without parsers for arrays that no statement asks for, of whole rows or of ranges and the like: nine in ten
 * of its parsers. It gathers them all anew for every statement, a fifth of a millisecond.
 */
async function forgetUnusedArrays(pglite: PGlite): Promise<void> {
  const { rows } = await pglite.query<{ oid: number }>(
    `SELECT typarray AS oid FROM pg_catalog.pg_type WHERE typarray <> 0 AND (typtype = 'c'
       OR typnamespace <> current_schema()::regnamespace AND typname <> ALL ($1::text[]))`,
    [IN_ARRAYS],
  );
  for (const { oid } of rows) delete pglite.parsers[oid];
}

export function pgliteMigrationTarget(pglite: PGlite): MigrationTarget {
  return {
    transaction: (work) =>
      pglite.transaction((session) =>
        work({
          script: async (sql) => void (await session.exec(sql)),
          rows: async <Row>(sql: string, values: readonly unknown[] = []) =>
            (await session.query<Row>(sql, [...values])).rows,
        }),
      ),
  };
}
