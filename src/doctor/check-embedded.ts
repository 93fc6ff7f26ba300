import { existsSync } from 'node:fs';
import { mkdtemp, rmdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Settings } from '../config/settings';
import { DataDirectory } from '../database/data-directory';
import { PgliteDatabase } from '../database/pglite.database';
import { DatabaseStartError, reasonOf } from '../database/start-error';
import { checkTables } from './check-tables';
import { fail, type Finding, inBytes, ok, warn } from './finding';

const MIB = 1024 * 1024;
/** Below this no webhook is taken, as `StorageSpace` has it. */
const LOW_BYTES = 64 * MIB;
/** Less may be used up within days. */
const LITTLE_BYTES = 1024 * MIB;

/** The embedded database, which only one process may have open: while Ponte runs, its tables are not read. */
export async function checkEmbedded(settings: Settings): Promise<Finding[]> {
  return [await disk(settings.dataDir), ...(await tables(settings))];
}

async function disk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(existing(dataDir));
  const free = bavail * bsize;
  const what = `${inBytes(free)} are free for ${dataDir}`;
  if (free < LOW_BYTES) return fail('disk', `${what}: no webhook would be taken`, 'make space');
  return free < LITTLE_BYTES ? warn('disk', what, 'make space before the upgrade') : ok('disk', what);
}

/** The folder, or the nearest above it that is there. */
function existing(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : existing(dirname(folder));
}

/** What a first start would find. It is tried: permissions alone do not tell, as in `/proc` or on a disk that is read-only. */
async function firstStart(dataDir: string): Promise<Finding> {
  try {
    await rmdir(await mkdtemp(join(existing(dataDir), '.ponte-doctor-')));
    return ok('database', `there is none in ${dataDir}; the first start makes it`);
  } catch (error) {
    return fail(
      'database',
      `there is none in ${dataDir}, and the first start cannot make it: ${reasonOf(error)}`,
      'name a folder in DATA_DIR that Ponte may write',
    );
  }
}

async function tables(settings: Settings): Promise<Finding[]> {
  const { dataDir } = settings;
  if (!existsSync(new DataDirectory(dataDir).cluster)) return [await firstStart(dataDir)];
  try {
    const database = await PgliteDatabase.openToRead(dataDir);
    try {
      return [
        ok('database', `embedded, in ${dataDir}, not in use`),
        ...(await checkTables(database, settings)),
      ];
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseStartError)) throw error;
    if (error.message.includes(' is in use by '))
      return [warn('database', error.message.replace(/: .*$/, ''), 'stop Ponte to have its tables checked')];
    return [fail('database', error.message, 'a start would be refused until that is done')];
  }
}
