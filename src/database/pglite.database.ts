import { rm } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import { CopyError } from './cluster-copy';
import { DataDirectory } from './data-directory';
import type { FilesCopy, HotStatement } from './database';
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
  private copier?: FilesCopier;

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
    const directory = new DataDirectory(dataDir);
    directory.make();
    const lock = await DirectoryLock.acquire(dataDir).catch((error: unknown) => {
      throw startErrorOf(error, dataDir);
    });
    try {
      // Of a process that was killed while it made a backup.
      await rm(directory.copy, { recursive: true, force: true });
      const engine = await ThreadEngine.open(dataDir);
      onStage('bringing the database up to date');
      const database = await PgliteDatabase.through(engine, () => lock.release());
      database.upkeep.start();
      database.copier = new FilesCopier(database.pool, engine, directory.copy);
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

  override copyFiles(): Promise<FilesCopy | undefined> {
    return this.copier?.copy() ?? Promise.resolve(undefined);
  }

  protected override run<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.pool.run<Row>(statement, values);
  }

  protected override async closeDriver(): Promise<void> {
    await this.upkeep.stop();
    await this.letGo();
  }
}

/** Copies the files of a database that others work with. */
class FilesCopier {
  private busy = false;
  private removed: Promise<void> = Promise.resolve();

  /** @param folder where the copy is made */
  constructor(
    private readonly pool: EmbeddedPool,
    private readonly engine: ThreadEngine,
    private readonly folder: string,
  ) {}

  /** @throws CopyError while there is another copy */
  async copy(): Promise<FilesCopy> {
    // Whoever has read a backup to its end may ask for the next one at once.
    await this.removed;
    if (this.busy) throw new CopyError('another backup is being made: try again when it is done');
    this.busy = true;
    try {
      return await this.copyInTurn();
    } catch (error) {
      this.busy = false;
      throw error;
    }
  }

  /** With the one connection taken, so that no transaction is open. */
  private async copyInTurn(): Promise<FilesCopy> {
    const client = await this.pool.connect();
    try {
      // Less has to be recovered from the write-ahead log by whoever opens the copy.
      await client.query('CHECKPOINT');
      const tookMs = await this.engine.copyTo(this.folder);
      return { folder: this.folder, at: new Date(), tookMs, remove: () => this.remove() };
    } finally {
      client.release();
    }
  }

  private remove(): Promise<void> {
    const removing = rm(this.folder, { recursive: true, force: true }).then(() => {
      this.busy = false;
    });
    // Where that fails, it is told to whoever removes.
    this.removed = removing.catch(() => undefined);
    return removing;
  }
}

const ONLY_READ: HotStatement = {
  name: 'only_read',
  text: `select set_config('default_transaction_read_only', 'on', false)`,
};
