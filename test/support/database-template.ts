import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { DataDirectory } from '../../src/database/data-directory';
import { migrationsDirectory, readMigrations } from '../../src/database/migrations';
import { PgliteDatabase } from '../../src/database/pglite.database';
import { PostgresDatabase } from '../../src/database/postgres.database';
import { createDatabase, databaseUrl, dropDatabase, randomDatabaseName } from './postgres-server';

/** Environment variables that tell the workers where the migrated templates are: a folder, a database's name. */
export const EMBEDDED_TEMPLATE = 'PONTE_TEST_EMBEDDED_TEMPLATE';
export const POSTGRES_TEMPLATE = 'PONTE_TEST_POSTGRES_TEMPLATE';

const ROOT = join(__dirname, '..', '..');

/** Where the embedded templates live, so that only the first run after a change has to make one. */
const CACHE = join(ROOT, '.cache', 'test-database');

/** Milliseconds after which a template that no run used is removed. */
const KEPT_FOR = 3_600_000;

/** The files of an embedded template. */
export function embeddedTemplate(folder: string): { dataDir: string; dump: string } {
  return { dataDir: join(folder, 'data'), dump: join(folder, 'migrated.tar') };
}

/** A migrated database on the server, for `CREATE DATABASE … TEMPLATE`. @returns its name */
export async function makePostgresTemplate(): Promise<string> {
  const name = `${randomDatabaseName()}_template`;
  await createDatabase(name);
  try {
    const database = await PostgresDatabase.open(databaseUrl(name));
    await database.close();
  } catch (error) {
    await dropDatabase(name);
    throw error;
  }
  return name;
}

/** A migrated embedded database, as a data directory and as a dump. @returns the folder of both */
export async function makeEmbeddedTemplate(): Promise<string> {
  const folder = join(CACHE, await templateKey());
  if (existsSync(folder)) {
    await utimes(folder, new Date(), new Date());
    return folder;
  }
  const partial = `${folder}.${process.pid}`;
  await mkdir(partial, { recursive: true });
  const { dataDir, dump } = embeddedTemplate(partial);
  await (await PgliteDatabase.open(dataDir)).close();
  const pglite = await PGlite.create(new DataDirectory(dataDir).cluster);
  await writeFile(dump, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()));
  await pglite.close();
  await removeForgotten();
  // Another run may have been faster: its template is as good.
  await rename(partial, folder).catch(() => rm(partial, { recursive: true }));
  return folder;
}

/** Changes with everything that decides what a fresh database looks like. */
async function templateKey(): Promise<string> {
  const sources = join(ROOT, 'src', 'database');
  const files = (await readdir(sources)).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const paths = [join(ROOT, 'package.json'), ...files.sort().map((name) => join(sources, name))];
  const hash = createHash('sha256');
  for (const path of paths) hash.update(await readFile(path));
  for (const { name, checksum } of await readMigrations(migrationsDirectory())) hash.update(name + checksum);
  return hash.digest('hex').slice(0, 16);
}

async function removeForgotten(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < Date.now() - KEPT_FOR) await rm(path, { recursive: true, force: true });
  }
}
