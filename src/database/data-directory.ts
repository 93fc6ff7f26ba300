import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as embedded from '@electric-sql/pglite';
import { DatabaseStartError, reasonOf } from './start-error';

/** Major version of the PostgreSQL inside the PGlite that package.json pins. */
export const EMBEDDED_POSTGRESQL = 18;

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

  /** Makes the directory, open to its owner only. @throws DatabaseStartError when that is not allowed */
  async make(): Promise<void> {
    try {
      await mkdir(this.path, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new DatabaseStartError(`DATA_DIR cannot be made: ${reasonOf(error)}`);
    }
  }

  /**
   * Makes the cluster if there is none. It is built aside and renamed when complete, so that a start that is
   * killed half-way leaves nothing that looks like a database. Call it with the directory locked.
   * @throws DatabaseStartError when another major version made the files
   */
  async prepare(): Promise<void> {
    if (await this.hasCluster()) await this.refuseOtherVersion();
    else await this.createCluster();
    await chmod(this.cluster, 0o700);
  }

  /** Opens the cluster. Call it with the directory locked and prepared. */
  open(): Promise<embedded.PGlite> {
    return openPglite(this.cluster);
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
    const pglite = await openPglite(partial);
    const { rows } = await pglite.query<{ version: string }>('SELECT version()');
    await pglite.close();
    const marker: VersionMarker = {
      postgresql: EMBEDDED_POSTGRESQL,
      madeBy: /^.*?\)/.exec(rows[0]?.version ?? '')?.[0] ?? 'unknown',
    };
    await writeFile(this.marker, `${JSON.stringify(marker, undefined, 2)}\n`, { mode: 0o600 });
    await rename(partial, this.cluster);
  }

  private async refuseOtherVersion(): Promise<void> {
    const { postgresql, madeBy } = await this.readMarker();
    if (postgresql === EMBEDDED_POSTGRESQL) return;
    throw new DatabaseStartError(
      `${this.cluster} was made by ${madeBy} and this version of Ponte brings PostgreSQL ${EMBEDDED_POSTGRESQL}: ` +
        `dump it with the version of Ponte that made it, and load the dump into a new DATA_DIR or into PostgreSQL`,
    );
  }

  /** What the marker says; without one, what PostgreSQL itself wrote down. */
  private async readMarker(): Promise<VersionMarker> {
    try {
      return JSON.parse(await readFile(this.marker, 'utf8')) as VersionMarker;
    } catch {
      const postgresql = Number.parseInt(await readFile(join(this.cluster, 'PG_VERSION'), 'utf8'), 10);
      return { postgresql, madeBy: `PostgreSQL ${postgresql}` };
    }
  }
}

const load = createRequire(__filename);

/** PGlite is half a megabyte of code that a service on a PostgreSQL server never runs: loaded where it is used. */
function openPglite(folder: string): Promise<embedded.PGlite> {
  const { PGlite } = load('@electric-sql/pglite') as typeof embedded;
  return PGlite.create(folder);
}
