import type { PGlite } from '@electric-sql/pglite';
import { DataDirectory } from './data-directory';
import type { HotStatement } from './database';
import { DirectoryLock } from './directory-lock';
import { EmbeddedEngine } from './embedded-engine';
import { EmbeddedPool } from './embedded-pool';
import { EmbeddedUpkeep } from './embedded-upkeep';
import type { EngineLine } from './engine-line';
import { LocalEngine } from './local-engine';
import { migrate } from './migrations';
import { poolMigrationTarget } from './pool-migrations';
import { PoolAdapter } from './pool.adapter';
import { PrismaDatabase } from './prisma.database';
import { startErrorOf } from './start-error';
import { ThreadEngine } from './thread-engine';

/**
 * PostgreSQL inside this process, in a thread of its own: one connection, so that statements and transactions run one
 * after another. It survives a killed process; it does not write through to the disk, so a power cut may lose what was
 * committed last.
 */
export class PgliteDatabase extends PrismaDatabase {
  override readonly parallel = false;
  private readonly upkeep: EmbeddedUpkeep;

  private constructor(
    private readonly pool: EmbeddedPool,
    private readonly letGo: () => Promise<void>,
  ) {
    super(new PoolAdapter(pool));
    this.upkeep = new EmbeddedUpkeep(pool);
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
    onStage(
      `opening the embedded database in ${dataDir}; the first time it is made, which takes some seconds`,
    );
    await new DataDirectory(dataDir).make();
    const lock = await DirectoryLock.acquire(dataDir).catch((error: unknown) => {
      throw startErrorOf(error, dataDir);
    });
    try {
      const engine = await ThreadEngine.open(dataDir);
      onStage('bringing the database up to date');
      const database = await PgliteDatabase.through(engine, () => lock.release());
      database.upkeep.start();
      return database;
    } catch (error) {
      await lock.release().catch(() => undefined);
      throw startErrorOf(error, dataDir);
    }
  }

  /**
   * Over an instance that is open already, in this thread, and brings it up to date. Closing closes the instance. Nobody
   * looks after it in the background: that is for a database that lives on.
   */
  static over(pglite: PGlite): Promise<PgliteDatabase> {
    return PgliteDatabase.through(new LocalEngine(new EmbeddedEngine(pglite)));
  }

  /**
   * Opens a database that is there as it is, to be read: nothing is brought up to date, and what would write fails.
   * @throws DatabaseStartError when the directory is in use, or another version made it
   */
  static async openToRead(dataDir: string): Promise<PgliteDatabase> {
    const lock = await DirectoryLock.acquire(dataDir).catch((error: unknown) => {
      throw startErrorOf(error, dataDir);
    });
    try {
      const engine = await ThreadEngine.open(dataDir);
      const pool = new EmbeddedPool(engine);
      const database = new PgliteDatabase(pool, () =>
        pool
          .end()
          .then(() => engine.close())
          .finally(() => lock.release()),
      );
      await database.query(ONLY_READ, []);
      return database;
    } catch (error) {
      await lock.release().catch(() => undefined);
      throw startErrorOf(error, dataDir);
    }
  }

  /** @param letGo called after closing */
  private static async through(
    engine: EngineLine,
    letGo = (): Promise<void> => Promise.resolve(),
  ): Promise<PgliteDatabase> {
    const pool = new EmbeddedPool(engine);
    const close = async (): Promise<void> => {
      await pool.end();
      await engine.close();
    };
    try {
      await migrate(poolMigrationTarget(pool));
    } catch (error) {
      await close();
      throw error;
    }
    return new PgliteDatabase(pool, () => close().finally(letGo));
  }

  override notify(): Promise<void> {
    return Promise.resolve();
  }

  override listen(): void {
    // Nobody else has this database open.
  }

  protected override run<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.pool.run<Row>(statement, values);
  }

  protected override async closeDriver(): Promise<void> {
    await this.upkeep.stop();
    await this.letGo();
  }
}

const ONLY_READ: HotStatement = {
  name: 'only_read',
  text: `select set_config('default_transaction_read_only', 'on', false)`,
};
