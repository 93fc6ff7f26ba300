import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Open to its owner alone. */
const MODE = 0o700;

/**
 * Makes a folder, and those above it that are missing, each open to its owner alone. One that is there stays as it is.
 *
 * Node's own `recursive` never ends where the system says of a folder that it does not exist, as in `/proc`: it takes
 * that for a folder above that is missing, and makes that one again and again.
 * @throws Error of the system when that is not allowed
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: MODE });
  } catch (error) {
    if (isFolder(path)) return;
    const above = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || existsSync(above)) throw error;
    makeFolder(above);
    mkdirSync(path, { mode: MODE });
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
