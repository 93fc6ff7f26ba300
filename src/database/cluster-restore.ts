import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import { DataDirectory } from './data-directory';
import { DirectoryLock } from './directory-lock';
import { migrationsDirectory, readMigrations } from './migrations';
import { DatabaseStartError, startErrorOf } from './start-error';

/** Runs a statement and gives its rows. */
export type Ask = <Row>(sql: string) => Promise<Row[]>;

/** Puts other files in the place of an embedded database that nobody has open. */
export class ClusterRestore {
  private constructor(
    private readonly directory: DataDirectory,
    private readonly lock: DirectoryLock,
    private readonly now: Date,
  ) {}

  /**
   * Locks DATA_DIR, made if there is none, until {@link end}.
   * @param setAside whether a database that is there may be renamed; it is never removed
   * @throws DatabaseStartError when it is in use, or has a database that is not to be set aside
   */
  static async begin(dataDir: string, setAside: boolean, now = new Date()): Promise<ClusterRestore> {
    const directory = new DataDirectory(dataDir);
    directory.make();
    const lock = await DirectoryLock.acquire(dataDir).catch((error: unknown) => {
      throw startErrorOf(error, dataDir);
    });
    const restore = new ClusterRestore(directory, lock, now);
    try {
      if (existsSync(directory.cluster) && !setAside)
        throw new DatabaseStartError(
          `${dataDir} has a database already: name another directory, or add --set-aside to keep it beside the restored one`,
        );
      await rm(directory.restoring, { recursive: true, force: true });
      return restore;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** The folder that the files have to be put into; it is not there yet. */
  get folder(): string {
    return this.directory.restoring;
  }

  /**
   * Opens the files, from which PostgreSQL recovers as after a crash, and asks them something.
   * @throws DatabaseStartError when they cannot be opened, or a newer version of Ponte has made them
   */
  async inspect<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    const pglite = await this.directory.openRestored();
    try {
      const ask = asking(pglite);
      await refuseNewer(ask);
      const found = await work(ask);
      await ask('CHECKPOINT');
      return found;
    } finally {
      await pglite.close();
    }
  }

  /** Makes the files the database. @returns where the one before is now; undefined: there was none */
  async finish(): Promise<string | undefined> {
    const { cluster, restoring } = this.directory;
    const aside = existsSync(cluster) ? `${cluster}.before-${stampOf(this.now)}` : undefined;
    await this.directory.mark();
    // Killed between the two, no database is here: a start refuses while there is what was to become it.
    if (aside !== undefined) await rename(cluster, aside);
    await rename(restoring, cluster);
    return aside;
  }

  /** Removes what has not become the database, and gives the directory free. */
  async end(): Promise<void> {
    await rm(this.directory.restoring, { recursive: true, force: true });
    await this.lock.release();
  }
}

function asking(pglite: PGlite): Ask {
  return async <Row>(sql: string) => (await pglite.query<Row>(sql)).rows;
}

async function refuseNewer(ask: Ask): Promise<void> {
  const known = new Set((await readMigrations(migrationsDirectory())).map(({ name }) => name));
  const applied = await ask<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY 1',
  );
  const unknown = applied.find(({ name }) => !known.has(name));
  if (unknown)
    throw new DatabaseStartError(
      `the backup has migration ${unknown.name}, which this program does not know: restore it with a newer version`,
    );
}

/** As a part of a file's name: `20261125T194500Z`. */
function stampOf(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+/g, '');
}
