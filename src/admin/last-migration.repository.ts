import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';

/** Which schema the database has. */
@Injectable()
export class LastMigration {
  constructor(private readonly database: Database) {}

  /** The name of the last migration; it orders them. */
  async name(): Promise<string> {
    const [row] = await this.database.prisma.$queryRaw<{ name: string }[]>`
      select max(migration_name) as name from _prisma_migrations where finished_at is not null`;
    if (!row) throw new Error('the database has no migrations');
    return row.name;
  }
}
