import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { poolOver, startEngine } from '../scripts/schema-diff';
import { migrate, migrationsDirectory, readMigrations } from '../src/database/migrations';
import { poolMigrationTarget } from '../src/database/pool-migrations';
import { openEmptyEngine } from './support/empty-database';

const filters = { externalTables: [], externalEnums: [] };

describe("the history of migrations, shared with Prisma's own tools", () => {
  let pglite: PGlite;
  let prisma: SchemaEngine;
  let migrationsList: MigrationList;

  beforeEach(async () => {
    pglite = await openEmptyEngine();
    const path = join(migrationsDirectory(), '..', 'schema.prisma');
    prisma = await startEngine({ path: 'schema.prisma', content: await readFile(path, 'utf8') }, pglite);
    migrationsList = {
      baseDir: migrationsDirectory(),
      lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
      shadowDbInitScript: '',
      migrationDirectories: (await readMigrations(migrationsDirectory())).map(({ name, sql }) => ({
        path: name,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
      })),
    };
  });

  afterEach(() => pglite.close());

  it('leaves `prisma migrate deploy` nothing to do and nothing to complain about', async () => {
    await migrate(poolMigrationTarget(poolOver(pglite)));
    const diagnosis = await prisma.diagnoseMigrationHistory({
      migrationsList,
      optInToShadowDatabase: false,
      filters,
    });
    expect(diagnosis).toEqual({
      editedMigrationNames: [],
      failedMigrationNames: [],
      hasMigrationsTable: true,
      history: null,
    });
    expect(await prisma.applyMigrations({ migrationsList, filters })).toEqual({ appliedMigrationNames: [] });
  });

  it('is taken over from `prisma migrate deploy`', async () => {
    const { appliedMigrationNames } = await prisma.applyMigrations({ migrationsList, filters });
    expect(appliedMigrationNames).toEqual(migrationsList.migrationDirectories.map(({ path }) => path));
    expect(await migrate(poolMigrationTarget(poolOver(pglite)))).toEqual([]);
  });
});
