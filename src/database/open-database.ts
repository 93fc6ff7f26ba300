import type { Settings } from '../config/settings';
import type { Database } from './database';
import { PgliteDatabase } from './pglite.database';
import { PostgresDatabase } from './postgres.database';

/**
 * Opens the database that the settings name, PostgreSQL or embedded, and brings it up to date.
 * @throws DatabaseStartError with one line for whoever starts Ponte
 */
export function openDatabase(settings: Settings): Promise<Database> {
  return settings.databaseUrl === undefined
    ? PgliteDatabase.open(settings.dataDir)
    : PostgresDatabase.open(settings.databaseUrl);
}
