import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MemoryFS, PGlite } from '@electric-sql/pglite';
import { copyBeforeWriting, EngineSnapshot, type Inode, type MemoryFiles, share } from './engine-snapshot';

/** One file or folder of a cluster. */
interface Entry {
  /** The folder that it is in, named from the cluster's root: `base/5`; empty: the root. */
  readonly folder: string;
  readonly name: string;
  /** What is in the file; absent: a folder. */
  readonly bytes?: Uint8Array;
}

/** What is used of PGlite's file system to fill it, which comes without types. */
interface Engine {
  FS: {
    mkdirTree(path: string, mode: number): void;
    lookupPath(path: string): { node: Inode };
  };
  MEMFS: MemoryFiles;
}

/** Modes of a file and of a folder that are their owner's alone. */
const FILE = 0o100600;
const FOLDER = 0o40700;

/** The databases that others are made from, by their folders in a cluster; nobody connects to them. */
export const TEMPLATES = ['base/1', 'base/4'];

/** How many databases that were closed a worker keeps for the next, each of some hundred megabytes; few tests open more. */
const KEPT = 2;

/**
 * Has PostgreSQL replace its timer for counts of rows, which would keep the process from ending for ten seconds, by one of
 * a millisecond, and begin no other.
 */
const STOP_TIMERS = ['set statement_timeout = 1', 'select pg_stat_force_next_flush()'];

/** What is loaded of a library is kept outside of the engine's memory, so it has to be loaded before the snapshot. */
const LOAD_LANGUAGE = 'do $$ begin end $$';

const images = new Map<string, readonly Entry[]>();

/** A database that is used by one after another. */
interface UsedAgain {
  /** Which cluster it is a copy of. */
  readonly cluster: string;
  readonly pglite: PGlite;
  /** What it was like before anybody used it. */
  readonly unused: EngineSnapshot;
  /** How many libraries PostgreSQL had loaded then. */
  readonly libraries: number;
}

/** Databases that were closed, the last at the end. */
const kept: UsedAgain[] = [];

/** PostgreSQL's own files, time zones and the like, which PGlite would read for every database. */
let installation: Blob | undefined;

/**
 * A database in memory that begins with the files of a cluster, which are read once; it copies those that it writes to. One that was
 * closed is put back to what it was and used again: to open one takes twenty times as long, and memory that has to be
 * got anew from the system.
 */
export async function openCopyOf(cluster: string): Promise<PGlite> {
  const at = kept.findLastIndex((one) => one.cluster === cluster);
  if (at < 0) return lend(await openNewCopyOf(cluster));
  const [one] = kept.splice(at, 1) as [UsedAgain];
  one.unused.restore();
  return lend(one);
}

/** The database for one who uses it, to whom it is closed when another has it. */
function lend(one: UsedAgain): PGlite {
  let closing: Promise<void> | undefined;
  return new Proxy(one.pglite, {
    get(pglite, name) {
      if (name === 'close') return () => (closing ??= takeBack(one));
      if (name === 'closed') return closing !== undefined;
      const member: unknown = Reflect.get(pglite, name, pglite);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]): unknown => {
        if (closing) throw new Error('the database is closed');
        return member.apply(pglite, parameters);
      };
    },
  });
}

/** Keeps it for the next, if it can be put back; else it is ended, as are those of other clusters: few files need them. */
async function takeBack(one: UsedAgain): Promise<void> {
  const { pglite, unused, libraries } = one;
  // What was asked of it before and not yet answered.
  await nextTurn();
  if (!unused.canRestore() || (await librariesOf(pglite)) !== libraries) return pglite.close();
  for (const statement of STOP_TIMERS) await pglite.exec(statement);
  const own = [...kept.filter(({ cluster }) => cluster === one.cluster), one].slice(-KEPT);
  const ended = kept.filter((each) => !own.includes(each));
  kept.splice(0, kept.length, ...own);
  for (const each of ended) await each.pglite.close();
}

async function openNewCopyOf(cluster: string): Promise<UsedAgain> {
  let image = images.get(cluster);
  if (!image) images.set(cluster, (image = [...entriesBelow(cluster)]));
  installation ??= new Blob([
    readFileSync(join(dirname(require.resolve('@electric-sql/pglite')), 'pglite.data')),
  ]);
  const pglite = await PGlite.create({ fs: new ImageFs(image), fsBundle: installation });
  await pglite.exec(LOAD_LANGUAGE);
  const libraries = await librariesOf(pglite);
  return { cluster, pglite, libraries, unused: new EngineSnapshot(pglite) };
}

/** @returns how many libraries PostgreSQL has loaded */
async function librariesOf(pglite: PGlite): Promise<number> {
  const { rows } = await pglite.query<{ count: number }>(
    'select count(*)::int as count from pg_get_loaded_modules()',
  );
  return rows[0]?.count ?? 0;
}

/** Far less work than PGlite's `loadDataDir`, which reads an archive for every database. */
class ImageFs extends MemoryFS {
  constructor(private readonly image: readonly Entry[]) {
    super();
  }

  /** PGlite calls it before PostgreSQL starts. */
  override async initialSyncFs(): Promise<void> {
    const { FS, MEMFS } = this.pg!.Module as unknown as Engine;
    FS.mkdirTree(PGlite.paths.PGDATA, 0o700);
    copyBeforeWriting(MEMFS);
    const folders = new Map([['', FS.lookupPath(PGlite.paths.PGDATA).node]]);
    for (const { folder, name, bytes } of this.image) {
      const node = MEMFS.createNode(folders.get(folder)!, name, bytes ? FILE : FOLDER, 0);
      if (bytes) {
        node.contents = bytes;
        node.usedBytes = bytes.length;
      } else folders.set(join(folder, name), node);
    }
  }
}

function* entriesBelow(cluster: string, folder = ''): Generator<Entry> {
  for (const entry of readdirSync(join(cluster, folder), { withFileTypes: true })) {
    const { name } = entry;
    const path = join(folder, name);
    if (TEMPLATES.includes(path)) continue;
    if (entry.isDirectory()) {
      yield { folder, name };
      yield* entriesBelow(cluster, path);
    } else yield { folder, name, bytes: share(readFileSync(join(cluster, path))) };
  }
}
