import { isObject } from '../../kernel/json-object';

/** The first file of an archive. */
export const MANIFEST = 'ponte-backup.json';
const FORMAT = 1;

/** Names of PostgreSQL's files: nothing that leads out of a folder. */
const NAME = /^(?!.*(^|\/)\.{1,2}(\/|$))[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** A file of the archive. */
export interface ArchivedFile {
  /** Below the cluster's folder: `base/5/1259`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
}

/** What made an archive, and what has to be in it. */
export interface Origin {
  /** Version of Ponte. */
  readonly ponte: string;
  /** Name of the last migration of the database. */
  readonly migration: string;
  /** Major version of PostgreSQL that the files are of. */
  readonly postgresql: number;
  /** When the files were so, ISO 8601. */
  readonly at: string;
}

export interface Manifest extends Origin {
  readonly format: number;
  /** Every folder, in an order in which they can be made. */
  readonly folders: readonly string[];
  readonly files: readonly ArchivedFile[];
}

/** The archive is damaged, cut off, or none. The message is one line. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

export function writeManifest(
  origin: Origin,
  content: { folders: readonly string[]; files: readonly ArchivedFile[] },
): string {
  return JSON.stringify({ format: FORMAT, ...origin, ...content } satisfies Manifest);
}

/** @throws ArchiveError */
export function readManifest(text: string): Manifest {
  const read = parsed(text);
  if (isObject(read) && typeof read['format'] === 'number' && read['format'] > FORMAT)
    throw new ArchiveError('the backup was made by a newer version of Ponte: restore it with that one');
  if (!isManifest(read))
    throw new ArchiveError('this is no backup of Ponte: what it says of itself is not readable');
  return read;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isManifest(read: unknown): read is Manifest {
  if (!isObject(read)) return false;
  const { format, ponte, migration, postgresql, at, folders, files } = read;
  return (
    format === FORMAT &&
    [ponte, migration, at].every((text) => typeof text === 'string' && text.length <= 200) &&
    typeof postgresql === 'number' &&
    Array.isArray(folders) &&
    folders.every(isName) &&
    Array.isArray(files) &&
    files.every(isFile)
  );
}

function isFile(read: unknown): boolean {
  if (!isObject(read)) return false;
  const { path, size, sha256 } = read;
  return isName(path) && Number.isSafeInteger(size) && typeof sha256 === 'string' && SHA256.test(sha256);
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && NAME.test(name);
}
