import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** What Linux keeps in memory for everybody. Making a file there can take a twentieth of the time it takes on a disk. */
const SHARED_MEMORY = '/dev/shm';
const PREFIX = 'ponte-test.';
/** Bytes: more than all that the tests ever have there at once. */
const ENOUGH = 4 * 1024 ** 3;

/**
 * Makes a folder of this process in memory, for the files of a run's tests: hundreds of data directories of more than a
 * thousand files each.
 * @param memory where the system keeps files in memory
 * @returns its path; undefined where there is no such place, or too little of it
 */
export function folderInMemory(memory = SHARED_MEMORY, enough = ENOUGH): string | undefined {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < enough) return undefined;
  } catch {
    return undefined;
  }
  removeForgotten(memory);
  const folder = mkdtempSync(join(memory, `${PREFIX}${process.pid}.`));
  // A PostgreSQL server that a test starts runs as another user where the tests run as root.
  chmodSync(folder, 0o755);
  return folder;
}

/** What a run left that was killed would stay in memory until the machine is started again. */
function removeForgotten(memory: string): void {
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(PREFIX) || isAlive(Number.parseInt(name.slice(PREFIX.length)))) continue;
    try {
      rmSync(join(memory, name), { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
