import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as embedded from '@electric-sql/pglite';
import { makeFolder } from '../config/make-folder';
import { endOnFatalError, LastWords } from './pglite-fatal';
import { DatabaseStartError, reasonOf } from './start-error';

/** Major version of the PostgreSQL inside the PGlite that package.json pins. */
export const EMBEDDED_POSTGRESQL = 18;

/** What makes a directory a cluster to PostgreSQL. */
const PG_VERSION = 'PG_VERSION';

/** Files made by one major version of PostgreSQL mean nothing to another. */
interface VersionMarker {
  postgresql: number;
  /** As PostgreSQL names itself, PGlite's own version included. */
  madeBy: string;
}

/**
 * Where the embedded database keeps its files, below DATA_DIR:
 * `postgres/` (PostgreSQL's own) and `pglite-version.json` (which version made them).
 */
export class DataDirectory {
  private readonly marker: string;

  constructor(readonly path: string) {
    this.marker = join(path, 'pglite-version.json');
  }

  /** PostgreSQL's own files. */
  get cluster(): string {
    return join(this.path, 'postgres');
  }

  /** Where the files are copied to for a backup, for as long as that takes. */
  get copy(): string {
    return join(this.path, 'postgres.backup');
  }

  /** Where a backup is unpacked before it becomes the cluster. */
  get restoring(): string {
    return join(this.path, 'postgres.restoring');
  }

  /** Makes the directory, open to its owner only. @throws DatabaseStartError when that is not allowed */
  make(): void {
    try {
      makeFolder(this.path);
    } catch (error) {
      throw new DatabaseStartError(
        `DATA_DIR cannot be made: ${reasonOf(error)}; set DATA_DIR to a folder that Ponte may write to`,
      );
    }
  }

  /**
   * Makes the cluster if there is none. It is built aside and renamed when complete, so that a start that is
   * killed half-way leaves nothing that looks like a database. Call it with the directory locked.
   * @throws DatabaseStartError when another major version made the files, or a restore was interrupted
   */
  async prepare(): Promise<void> {
    if (await this.hasCluster()) await this.refuseOtherVersion();
    else if (existsSync(this.restoring)) throw this.halfRestored();
    else await this.createCluster();
    await chmod(this.cluster, 0o700);
  }

  /** @throws DatabaseStartError when there is no cluster */
  async requireCluster(): Promise<void> {
    if (await this.hasCluster()) return;
    if (existsSync(this.restoring)) throw this.halfRestored();
    throw new DatabaseStartError(
      `there is no database in ${this.path}: set DATA_DIR to the folder that has it, or DATABASE_URL`,
    );
  }

  /**
   * Opens the cluster. Call it with the directory locked and prepared.
   * @param end called with PostgreSQL's reason when it has ended itself
   * @throws DatabaseStartError when PostgreSQL cannot open it
   */
  async open(end: (reason: string) => never): Promise<embedded.PGlite> {
    const lastWords = new LastWords();
    const pglite = await this.openAt(this.cluster, lastWords);
    endOnFatalError(pglite, lastWords, end);
    return pglite;
  }

  /** Opens what a backup was unpacked to. @throws DatabaseStartError when PostgreSQL cannot open it */
  openRestored(): Promise<embedded.PGlite> {
    return this.openAt(this.restoring);
  }

  /** Writes down that the cluster is of the PostgreSQL that this version brings. */
  async mark(): Promise<void> {
    await this.writeMarker(`PostgreSQL ${EMBEDDED_POSTGRESQL} (restored from a backup)`);
  }

  private halfRestored(): DatabaseStartError {
    return new DatabaseStartError(
      `restoring a backup into ${this.path} was interrupted: run \`ponte restore\` again`,
    );
  }

  private async openAt(folder: string, lastWords = new LastWords()): Promise<embedded.PGlite> {
    try {
      return await openPglite(folder, lastWords);
    } catch (error) {
      throw new DatabaseStartError(
        `the embedded database in ${folder} cannot be opened: ${lastWords.reason ?? engineReason(error)}; ` +
          'see that the disk has space and can be written, or restore the directory from a backup',
      );
    }
  }

  private async hasCluster(): Promise<boolean> {
    return stat(this.cluster).then(
      () => true,
      () => false,
    );
  }

  private async createCluster(): Promise<void> {
    const partial = `${this.cluster}.partial`;
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { mode: 0o700 });
    const pglite = await this.openAt(partial);
    const { rows } = await pglite.query<{ version: string }>('SELECT version()');
    await pglite.close();
    await this.writeMarker(rows[0]?.version ?? '');
    await rename(partial, this.cluster);
  }

  /** @param version as PostgreSQL spells its own */
  private async writeMarker(version: string): Promise<void> {
    const madeBy = /^.*?\)/.exec(version)?.[0] ?? 'unknown';
    const marker: VersionMarker = { postgresql: EMBEDDED_POSTGRESQL, madeBy };
    await writeFile(this.marker, `${JSON.stringify(marker, undefined, 2)}\n`, { mode: 0o600 });
  }

  private async refuseOtherVersion(): Promise<void> {
    const version = await this.readVersion();
    const { postgresql, madeBy } = await this.readMarker(version);
    if (postgresql === EMBEDDED_POSTGRESQL) return;
    throw new DatabaseStartError(
      `${this.cluster} was made by ${madeBy} and this version of Ponte brings PostgreSQL ${EMBEDDED_POSTGRESQL}: ` +
        `dump it with the version of Ponte that made it, and load the dump into a new DATA_DIR or into PostgreSQL`,
    );
  }

  /**
   * The major version that PostgreSQL itself wrote down.
   * @throws DatabaseStartError when it cannot be read: PGlite would make a new database over the old one
   */
  private async readVersion(): Promise<number> {
    const file = join(this.cluster, PG_VERSION);
    const text = await readFile(file, 'utf8').catch((error: unknown) => reasonOf(error));
    if (/^\d+\s*$/.test(text)) return Number.parseInt(text, 10);
    throw new DatabaseStartError(
      `${file} is missing or damaged (${text.slice(0, 100).trim()}): restore DATA_DIR from a backup, or write ` +
        `${EMBEDDED_POSTGRESQL} into the file if nothing else was lost`,
    );
  }

  /** What the marker says; without one, what PostgreSQL itself wrote down. */
  private async readMarker(postgresql: number): Promise<VersionMarker> {
    try {
      return JSON.parse(await readFile(this.marker, 'utf8')) as VersionMarker;
    } catch {
      return { postgresql, madeBy: `PostgreSQL ${postgresql}` };
    }
  }
}

/** The file system of PGlite's engine throws numbers without words. */
function engineReason(error: unknown): string {
  return error instanceof Error ? reasonOf(error) : 'its files cannot be made or written';
}

const load = createRequire(__filename);

/** PGlite is half a megabyte of code that a service on a PostgreSQL server never runs: loaded where it is used. */
function openPglite(folder: string, lastWords: LastWords): Promise<embedded.PGlite> {
  const { PGlite } = load('@electric-sql/pglite') as typeof embedded;
  const onStderr = (line: string): boolean => {
    lastWords.read(line);
    return false;
  };
  return PGlite.create({ dataDir: folder, onStderr });
}
