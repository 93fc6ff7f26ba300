import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type * as tar from 'tar';
import { type ArchivedFile, MANIFEST, type Origin, writeManifest } from './manifest';

const load = createRequire(__filename);
/** The fastest: PostgreSQL's files are mostly empty pages and texts, and whoever waits for the archive waits for this. */
const LEVEL = 1;
/** Bytes that everything in an archive is a multiple of. */
const BLOCK = 512;

/**
 * Archives a folder of files that nobody changes: tar, compressed with gzip, whose first file says what follows, with a
 * checksum of each. So a reader knows whether it has the whole.
 * @param folder gets the file that says so
 * @returns the archive's bytes; an error while it is read ends it before its end
 */
export async function writeArchive(folder: string, origin: Origin): Promise<Readable> {
  const folders: string[] = [];
  const files: ArchivedFile[] = [];
  await describe(folder, '', folders, files);
  await writeFile(join(folder, MANIFEST), writeManifest(origin, { folders, files }), { mode: 0o600 });
  const manifest = await described(join(folder, MANIFEST), MANIFEST);
  const compressed = createGzip({ level: LEVEL });
  // A failure destroys what the caller reads, who sees it there.
  pipeline(Readable.from(archived(folder, [manifest, ...files])), compressed, () => undefined);
  return compressed;
}

/** The archive of files, one after another: whoever stops reading stops all of it. */
async function* archived(folder: string, files: readonly ArchivedFile[]): AsyncGenerator<Buffer> {
  // Loaded where it is used: most services never make a backup.
  const { Header } = load('tar') as typeof tar;
  for (const { path, size } of files) {
    const header = new Header({ path, size, mode: 0o600, type: 'File' });
    const block = Buffer.alloc(BLOCK);
    if (header.encode(block)) throw new Error(`the name ${path} is too long for the archive`);
    yield block;
    let left = size;
    for await (const part of createReadStream(join(folder, path)) as AsyncIterable<Buffer>) {
      yield part;
      left -= part.length;
    }
    if (left !== 0) throw new Error(`${path} changed while it was archived`);
    yield Buffer.alloc(-size & (BLOCK - 1));
  }
  yield Buffer.alloc(2 * BLOCK);
}

async function describe(
  folder: string,
  below: string,
  folders: string[],
  files: ArchivedFile[],
): Promise<void> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      folders.push(path);
      await describe(folder, path, folders, files);
    } else if (path !== MANIFEST) files.push(await described(join(folder, path), path));
  }
}

async function described(file: string, path: string): Promise<ArchivedFile> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(part);
    size += part.length;
  }
  return { path, size, sha256: hash.digest('hex') };
}
