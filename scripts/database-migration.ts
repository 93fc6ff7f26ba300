import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readMigrations } from '../src/database/migrations';
import { schemaDiff } from './schema-diff';

// Writes the migration that is missing between the migrations and prisma/schema.prisma, without a database:
// `npm run db:migration -- NAME [--empty] [FOLDER]`, where FOLDER holds schema.prisma and migrations/.
// `--empty` writes one even if nothing is missing, for SQL that Prisma's schema cannot express.

async function main(): Promise<void> {
  const options = process.argv.slice(2);
  const [name, folder = 'prisma'] = options.filter((option) => option !== '--empty');
  if (!name || !/^[a-z][a-z0-9_]*$/.test(name))
    return fail('Usage: npm run db:migration -- NAME (a-z, 0-9, _)');
  const prisma = resolve(folder);
  const missing = await schemaDiff(prisma);
  if (missing === undefined && !options.includes('--empty'))
    return fail('The migrations do what the schema says; add --empty to write SQL by hand.');
  const file = await writeMigration(join(prisma, 'migrations'), name, missing ?? '-- By hand.\n');
  console.log(`Wrote ${file}. Read it before you commit it.`);
}

async function writeMigration(migrations: string, name: string, sql: string): Promise<string> {
  const folder = `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}_${name}`;
  const last = (await readMigrations(migrations)).at(-1)?.name ?? '';
  if (folder <= last)
    throw new Error(`${last} is dated later than now: migrations apply in the order of their names`);
  await mkdir(join(migrations, folder));
  const file = join(migrations, folder, 'migration.sql');
  await writeFile(file, sql);
  return file;
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
