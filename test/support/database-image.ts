import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MemoryFS, PGlite } from '@electric-sql/pglite';

/** One file or folder of a cluster. */
interface Entry {
  /** The folder that it is in, named from the cluster's root: `base/5`; empty: the root. */
  readonly folder: string;
  readonly name: string;
  /** What is in the file; absent: a folder. */
  readonly bytes?: Uint8Array;
}

/** A file or folder of PGlite's file system in memory. */
interface Inode {
  contents: unknown;
  usedBytes: number;
}

/** What is used of PGlite's file system, which comes without types. */
interface Engine {
  FS: {
    mkdirTree(path: string, mode: number): void;
    lookupPath(path: string): { node: Inode };
  };
  MEMFS: { createNode(parent: Inode, name: string, mode: number, device: number): Inode };
}

/** Modes of a file and of a folder that are their owner's alone. */
const FILE = 0o100600;
const FOLDER = 0o40700;

/** The databases that others are made from, by their folders in a cluster; nobody connects to them. */
export const TEMPLATES = ['base/1', 'base/4'];

const images = new Map<string, readonly Entry[]>();

/** PostgreSQL's own files, time zones and the like, which PGlite would read for every database. */
let installation: Blob | undefined;

/** A database in memory that begins with the files of a cluster; they are read once and copied for each. */
export function openCopyOf(cluster: string): Promise<PGlite> {
  let image = images.get(cluster);
  if (!image) images.set(cluster, (image = [...entriesBelow(cluster)]));
  installation ??= new Blob([
    readFileSync(join(dirname(require.resolve('@electric-sql/pglite')), 'pglite.data')),
  ]);
  return PGlite.create({ fs: new ImageFs(image), fsBundle: installation });
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
    const folders = new Map([['', FS.lookupPath(PGlite.paths.PGDATA).node]]);
    for (const { folder, name, bytes } of this.image) {
      const node = MEMFS.createNode(folders.get(folder)!, name, bytes ? FILE : FOLDER, 0);
      if (bytes) {
        // A copy: `slice` of what Node has read would be a view.
        node.contents = new Uint8Array(bytes);
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
    } else yield { folder, name, bytes: readFileSync(join(cluster, path)) };
  }
}
