import { constants, copyFileSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from './start-error';

/** Names the running server to others: the copy has none. */
const LEFT_OUT = ['postmaster.pid'];
/** Bytes that have to stay free on the disk: copying must not take from the database what it is about to write. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** Why files could not be copied: one line. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
}

/**
 * Copies a cluster's files while nobody writes to them, as one moment has them: what a process that is killed then leaves
 * behind, from which PostgreSQL recovers by its write-ahead log. Nothing else happens in this thread meanwhile. Where the
 * file system can share blocks between files, the copy takes no space and next to no time.
 * @param target a folder that is not there yet; it is gone again when copying fails
 * @returns milliseconds that it took
 * @throws CopyError
 */
export function copyCluster(cluster: string, target: string): number {
  const begun = performance.now();
  try {
    refuseWithoutSpace(cluster);
    copyFolder(cluster, target);
    return Math.round(performance.now() - begun);
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    throw error instanceof CopyError
      ? error
      : new CopyError(`the files cannot be copied: ${reasonOf(error)}`);
  }
}

function copyFolder(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (LEFT_OUT.includes(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else copyFileSync(source, target, constants.COPYFILE_FICLONE);
  }
}

function refuseWithoutSpace(cluster: string): void {
  const { bavail, bsize } = statfsSync(cluster);
  const needed = sizeOf(cluster) + SPARE_BYTES;
  if (bavail * bsize >= needed) return;
  throw new CopyError(
    `the disk of DATA_DIR has no room for a copy of the database: ${megabytes(needed)} MB are needed and ` +
      `${megabytes(bavail * bsize)} MB are free`,
  );
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : statSync(path).size);
  }, 0);
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}
