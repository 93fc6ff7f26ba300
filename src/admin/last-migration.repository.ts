import type { Database } from '../database/database';

/** The name of the last migration, which says what schema the database has; names order migrations. */
export async function lastMigration({ prisma }: Database): Promise<string> {
  const [row] = await prisma.$queryRaw<{ name: string }[]>`
    select max(migration_name) as name from _prisma_migrations where finished_at is not null`;
  if (!row) throw new Error('the database has no migrations');
  return row.name;
}
