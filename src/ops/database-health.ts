import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';
import { isReadOnly } from '../database/unavailable';
import { Health } from '../kernel/health';
import { Metrics } from '../kernel/metrics';

const NOT_WRITABLE = 'no server of DATABASE_URL takes writes';

interface Probed {
  applied: number;
  failed: number;
  read_only: boolean;
}

const MIGRATIONS = {
  name: 'health_migrations',
  answerWithinMs: 5_000,
  text: `select count(*) filter (where finished_at is not null)::int as applied,
                count(*) filter (where finished_at is null and rolled_back_at is null)::int as failed,
                current_setting('transaction_read_only') = 'on' as read_only
           from _prisma_migrations`,
};

/** A statement without an answer for this long, in milliseconds, is shown. */
const LONG_MS = 3_000;

/** How the database is doing, as readiness says it. */
@Injectable()
export class DatabaseHealth implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly health: Health,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.health.register({ name: 'database-delays', when: 'degraded', check: () => this.delay() });
    this.health.register({ name: 'database-shortage', when: 'degraded', check: () => this.shortage() });
    this.health.register({ name: 'database', when: 'unavailable', check: () => this.condition() });
    this.metrics.gauge(
      'ponte_database_pending_seconds',
      'Seconds for which the statement that waits longest has had no answer of the database',
      () => this.database.delays().pendingMs / 1_000,
    );
    this.metrics.gauge(
      'ponte_database_connections_abandoned',
      'Connections to the database abandoned since the process began, because nothing was received',
      () => this.database.delays().abandoned,
    );
  }

  /** Statements that wait: for a lock that another replica keeps, or over a connection that has gone silent. */
  private delay(): string | undefined {
    const { pendingMs, recentMs } = this.database.delays();
    if (pendingMs >= LONG_MS) return `a statement has waited ${seconds(pendingMs)} for its answer`;
    return recentMs > 0 ? `a statement waited ${seconds(recentMs)} for its answer a moment ago` : undefined;
  }

  /** The PostgreSQL server lacks space or memory: it still answers what reads, while webhooks are refused. */
  private shortage(): string | undefined {
    const shortage = this.database.shortage();
    return shortage === undefined ? undefined : `${shortage}; it refused a statement within the last minute`;
  }

  /**
   * Whether the database answers and has its tables: migrations run before the process listens, so one applied
   * migration that can be read back is enough to distinguish this database from an empty or foreign one. A process whose every
   * connection is at work is no reason to send it none.
   */
  private async condition(): Promise<string | undefined> {
    const row = await this.probe();
    if (row === NOT_WRITABLE || row?.read_only) return NOT_WRITABLE;
    if (!row || row.applied === 0) return 'no migration is applied';
    return row.failed > 0 ? 'a migration is unfinished' : undefined;
  }

  private async probe(): Promise<Probed | typeof NOT_WRITABLE | undefined> {
    try {
      const [row] = await this.database.probe<Probed>(MIGRATIONS, []);
      return row;
    } catch (error) {
      if (isReadOnly(error)) return NOT_WRITABLE;
      throw error;
    }
  }
}

function seconds(milliseconds: number): string {
  return `${Math.floor(milliseconds / 1_000)} s`;
}
