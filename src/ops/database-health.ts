import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';
import { Health, type HealthSource } from '../kernel/health';

/**
 * Whether the database answers and has its tables: migrations run before the process listens, so one applied
 * migration that can be read back is enough to tell this database from an empty or foreign one.
 */
@Injectable()
export class DatabaseHealth implements HealthSource, OnModuleInit {
  readonly name = 'database';
  readonly when = 'unavailable';

  constructor(
    private readonly database: Database,
    private readonly health: Health,
  ) {}

  onModuleInit(): void {
    this.health.register(this);
  }

  async check(): Promise<string | undefined> {
    const [row] = await this.database.query<{ applied: number; failed: number }>(MIGRATIONS, []);
    if (!row || row.applied === 0) return 'no migration is applied';
    return row.failed > 0 ? 'a migration is unfinished' : undefined;
  }
}

const MIGRATIONS = {
  name: 'health_migrations',
  text: `select count(*) filter (where finished_at is not null)::int as applied,
                count(*) filter (where finished_at is null and rolled_back_at is null)::int as failed
           from _prisma_migrations`,
};
