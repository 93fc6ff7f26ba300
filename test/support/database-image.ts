import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryFS, PGlite } from '@electric-sql/pglite';

/** One file or folder of a cluster, named from its root: `base/5/1259`. */
interface Entry {
  readonly path: string;
  /** What is in the file; absent: a folder. */
  readonly bytes?: Uint8Array;
}

/** What is used of PGlite's file system, which comes without types. */
interface Files {
  mkdirTree(path: string, mode: number): void;
  mkdir(path: string, mode: number): void;
  /** @param options `canOwn`: the bytes become the file's own and are not copied */
  writeFile(path: string, bytes: Uint8Array, options: { canOwn: boolean }): void;
}

const images = new Map<string, readonly Entry[]>();

/** A database in memory that begins with the files of a cluster; they are read once and copied for each. */
export function openCopyOf(cluster: string): Promise<PGlite> {
  let image = images.get(cluster);
  if (!image) images.set(cluster, (image = [...entriesBelow(cluster)]));
  return PGlite.create({ fs: new ImageFs(image) });
}

/** Far less work than PGlite's `loadDataDir`, which reads an archive for every database. */
class ImageFs extends MemoryFS {
  constructor(private readonly image: readonly Entry[]) {
    super();
  }

  /** PGlite calls it before PostgreSQL starts. */
  override async initialSyncFs(): Promise<void> {
    const files = this.pg!.Module.FS as Files;
    files.mkdirTree(PGlite.paths.PGDATA, 0o700);
    for (const { path, bytes } of this.image) {
      const target = `${PGlite.paths.PGDATA}/${path}`;
      // A copy: `slice` of what Node has read would be a view.
      if (bytes) files.writeFile(target, new Uint8Array(bytes), { canOwn: true });
      else files.mkdir(target, 0o700);
    }
  }
}

function* entriesBelow(cluster: string, folder = ''): Generator<Entry> {
  for (const entry of readdirSync(join(cluster, folder), { withFileTypes: true })) {
    const path = folder + entry.name;
    if (entry.isDirectory()) {
      yield { path };
      yield* entriesBelow(cluster, `${path}/`);
    } else yield { path, bytes: readFileSync(join(cluster, path)) };
  }
}
