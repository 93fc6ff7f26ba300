import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  migrate,
  type MigrationTarget,
  migrationsDirectory,
  readMigrations,
} from '../../src/database/migrations';

/**
 * Brings an empty database to where a version stood that had not yet the migration named.
 * @returns names of the migrations before it
 */
export async function migrateUpTo(target: MigrationTarget, migration: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ponte-migrations-'));
  try {
    for (const { name } of await readMigrations(migrationsDirectory())) {
      if (name >= migration) continue;
      await cp(join(migrationsDirectory(), name), join(folder, name), { recursive: true });
    }
    return await migrate(target, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
