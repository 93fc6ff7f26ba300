import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { DataDirectory } from '../../src/database/data-directory';
import { migrationsDirectory, readMigrations } from '../../src/database/migrations';
import { PgliteDatabase } from '../../src/database/pglite.database';
import { PostgresDatabase } from '../../src/database/postgres.database';
import { createDatabase, databaseUrl, dropDatabase, randomDatabaseName } from './postgres-server';

/**
 * Environment variables that tell the workers where the templates are: a migrated data directory, a cluster without a
 * table, the name of a migrated database.
 */
export const EMBEDDED_TEMPLATE = 'PONTE_TEST_EMBEDDED_TEMPLATE';
export const EMPTY_CLUSTER = 'PONTE_TEST_EMPTY_CLUSTER';
export const POSTGRES_TEMPLATE = 'PONTE_TEST_POSTGRES_TEMPLATE';

const ROOT = join(__dirname, '..', '..');

/** @param variable one of the above. @returns the template that it names */
export function templateIn(variable: string): string {
  const where = process.env[variable];
  if (!where) throw new Error("the run has no database template: use the project's Jest configuration");
  return where;
}

/** Where the embedded templates live, so that only the first run after a change has to make one. */
const CACHE = join(ROOT, '.cache', 'test-database');

/** Milliseconds after which a template that no run used is removed. */
const KEPT_FOR = 3_600_000;

/**
 * Memory for pages that each embedded database of a test takes. By default it is a tenth of a gigabyte, which
 * PostgreSQL fills in at every start and a worker holds once for every database that it has open.
 */
const SHARED_BUFFERS = '8MB';

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

/**
 * Megabytes of a file of the write-ahead log, of which each database begins with one. By default it has 16, most of them
 * empty: more than all tables.
 */
const WAL_SEGMENT = 1;

/** Templates of embedded databases. */
interface EmbeddedTemplates {
  /** A data directory, migrated. */
  migrated: string;
  /** A cluster as PostgreSQL makes it. */
  empty: string;
}

/** Makes the embedded templates, where no run has made them before. */
export async function makeEmbeddedTemplates(): Promise<EmbeddedTemplates> {
  const folder = join(CACHE, await templateKey());
  if (existsSync(folder)) await utimes(folder, new Date(), new Date());
  else {
    const partial = `${folder}.${process.pid}`;
    await makeTemplatesIn(templatesIn(partial));
    await removeForgotten();
    // Another run may have been faster: its templates are as good.
    await rename(partial, folder).catch(() => rm(partial, { recursive: true }));
  }
  return templatesIn(folder);
}

function templatesIn(folder: string): EmbeddedTemplates {
  return { migrated: join(folder, 'migrated'), empty: join(folder, 'empty') };
}

async function makeTemplatesIn({ migrated, empty }: EmbeddedTemplates): Promise<void> {
  await mkdir(empty, { recursive: true });
  const initDbStartParams = [`--wal-segsize=${WAL_SEGMENT}`];
  await (await PGlite.create(empty, { initDbStartParams })).close();
  const directory = new DataDirectory(migrated);
  directory.make();
  await directory.mark();
  await cp(empty, directory.cluster, { recursive: true });
  await (await PgliteDatabase.open(migrated)).close();
  for (const cluster of [empty, directory.cluster])
    await appendFile(join(cluster, 'postgresql.conf'), `shared_buffers = ${SHARED_BUFFERS}\n`);
}

/** Changes with everything that decides what a fresh database looks like. */
async function templateKey(): Promise<string> {
  const sources = join(ROOT, 'src', 'database');
  const files = (await readdir(sources)).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const paths = [join(ROOT, 'package.json'), __filename, ...files.sort().map((name) => join(sources, name))];
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
