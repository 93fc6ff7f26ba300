import { createHash } from 'node:crypto';
import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type * as tar from 'tar';
import { type ArchivedFile, ArchiveError, type Manifest, MANIFEST, readManifest } from './manifest';

const load = createRequire(__filename);
/** More than the names of some hundred thousand files take. */
const LARGEST_MANIFEST = 64 * 1024 * 1024;
/** What Node and zlib say where a stream ends early, or is none. */
const DAMAGED = /^(Z_|ERR_STREAM_PREMATURE_CLOSE)/;

/**
 * Reads a whole archive and compares every file with its checksum.
 * @param target gets the files; a folder that is not there yet. Absent: nothing is written
 * @param accept called with what the archive says of itself before any file is written; it may refuse by throwing
 * @throws ArchiveError when it is not whole; then what is in `target` is of no use
 */
export async function readArchive(
  file: string,
  target?: string,
  accept: (manifest: Manifest) => void = () => undefined,
): Promise<Manifest> {
  const reading = new ArchiveReading(target, accept);
  const { Parser } = load('tar') as typeof tar;
  const parser = new Parser({ strict: true, onReadEntry: (entry) => reading.begin(entry) });
  try {
    for await (const part of await unzipped(file)) {
      parser.write(part);
      if (reading.failure) throw reading.failure;
    }
    await new Promise<void>((resolve, reject) => {
      parser.on('error', reject);
      parser.on('end', resolve);
      parser.end();
    });
  } catch (error) {
    throw reading.failure ?? failureOf(error);
  }
  return reading.end();
}

async function unzipped(file: string): Promise<AsyncIterable<Buffer>> {
  const gunzip = createGunzip();
  // A failure is thrown where the parts are read.
  void pipeline(createReadStream(file), gunzip).catch(() => undefined);
  return Promise.resolve(gunzip);
}

function failureOf(error: unknown): unknown {
  const { code, tarCode, message } = (error ?? {}) as { code?: string; tarCode?: string; message?: string };
  if (tarCode !== undefined || DAMAGED.test(code ?? ''))
    return new ArchiveError(`the file is cut off or damaged, or no backup of Ponte (${message ?? code})`);
  return error;
}

/** One pass through an archive. What is wrong is kept: the parser calls, and nobody could catch it there. */
class ArchiveReading {
  failure?: Error;
  private manifest?: Manifest;
  private readonly expected = new Map<string, ArchivedFile>();

  constructor(
    private readonly target: string | undefined,
    private readonly accept: (manifest: Manifest) => void,
  ) {}

  begin(entry: tar.ReadEntry): void {
    const path = entry.path.replace(/^\.\//, '');
    if (this.failure || !this.manifest) this.attempt(() => this.readManifest(entry, path));
    else this.attempt(() => this.readFile(entry, path));
    if (this.failure) entry.resume();
  }

  /** @throws ArchiveError when something is missing */
  end(): Manifest {
    if (this.failure) throw this.failure;
    if (!this.manifest) throw new ArchiveError('this is no backup of Ponte: it is empty');
    if (this.expected.size > 0)
      throw new ArchiveError(`the backup is cut off: ${this.expected.size} of its files are missing`);
    return this.manifest;
  }

  private readManifest(entry: tar.ReadEntry, path: string): void {
    if (this.failure) return;
    if (path !== MANIFEST || entry.type !== 'File' || entry.size > LARGEST_MANIFEST)
      throw new ArchiveError('this is no backup of Ponte');
    const parts: Buffer[] = [];
    entry.on('data', (part: Buffer) => parts.push(part));
    entry.on('end', () => this.attempt(() => this.take(readManifest(Buffer.concat(parts).toString('utf8')))));
  }

  private take(manifest: Manifest): void {
    this.accept(manifest);
    this.manifest = manifest;
    for (const file of manifest.files) this.expected.set(file.path, file);
    if (this.target === undefined) return;
    mkdirSync(this.target, { mode: 0o700 });
    for (const folder of manifest.folders) mkdirSync(join(this.target, folder), { mode: 0o700 });
  }

  /** What is not expected, twice there or of another size is refused before anything is written. */
  private readFile(entry: tar.ReadEntry, path: string): void {
    const file = this.expected.get(path);
    if (!file || entry.type !== 'File' || entry.size !== file.size)
      throw new ArchiveError(
        `the backup is damaged: ${JSON.stringify(path.slice(0, 100))} does not belong into it`,
      );
    this.expected.delete(path);
    const hash = createHash('sha256');
    const descriptor = this.target === undefined ? undefined : openSync(join(this.target, path), 'wx', 0o600);
    entry.on('data', (part: Buffer) =>
      this.attempt(() => {
        hash.update(part);
        if (descriptor !== undefined) writeWhole(descriptor, part);
      }),
    );
    entry.on('end', () => {
      if (descriptor !== undefined) closeSync(descriptor);
      this.attempt(() => {
        if (hash.digest('hex') !== file.sha256)
          throw new ArchiveError(`the backup is damaged: the checksum of ${path} is another`);
      });
    });
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }
}

function writeWhole(descriptor: number, part: Buffer): void {
  for (let at = 0; at < part.length;) at += writeSync(descriptor, part, at);
}
