import type { Settings } from '../config/settings';
import { DataDirectory } from './data-directory';
import type { Database } from './database';
import { PgliteDatabase } from './pglite.database';
import { PostgresDatabase } from './postgres.database';

const onStandardError = (line: string): void => void process.stderr.write(`${line}\n`);

/** Milliseconds that a start waits for a server which is not ready. */
const START_PATIENCE_MS = 60_000;

/**
 * Opens the database that the settings name, PostgreSQL or embedded, and brings it up to date. A server that is not
 * ready is waited for, up to a minute.
 * @param report called with one line for whoever starts Ponte: before each wait, and where a pooler is set wrongly
 * @param onStage called as each stage begins, which may take seconds, with one line
 * @throws DatabaseStartError with one line for whoever starts Ponte
 */
export function openDatabase(
  settings: Settings,
  report = onStandardError,
  onStage: (line: string) => void = () => undefined,
): Promise<Database> {
  return settings.databaseUrl === undefined
    ? PgliteDatabase.open(settings.dataDir, onStage)
    : PostgresDatabase.open(settings.databaseUrl, { forMs: START_PATIENCE_MS, report, onStage });
}

/**
 * As {@link openDatabase}, for what reads stored books: where Ponte has no database yet, none is made.
 * @throws DatabaseStartError with one line for whoever named the database
 */
export async function openStoredDatabase(settings: Settings): Promise<Database> {
  if (settings.databaseUrl !== undefined)
    return PostgresDatabase.open(settings.databaseUrl, {
      forMs: START_PATIENCE_MS,
      report: onStandardError,
      onlyStored: true,
    });
  await new DataDirectory(settings.dataDir).requireCluster();
  return PgliteDatabase.open(settings.dataDir);
}
