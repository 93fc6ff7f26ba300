import type { Pool } from 'pg';

/** Milliseconds between two rounds. */
const EVERY = 60_000;

/** Bytes of write-ahead log after which a checkpoint is worth its few dozen milliseconds. */
const WAL_LIMIT = 64 * 1024 * 1024;

/**
 * Does what the background processes of a PostgreSQL server do and PGlite has nobody for: checkpoints, without
 * which the write-ahead log grows for ever and recovery after a kill takes ever longer, and vacuum and analyze,
 * without which tables bloat and plans rest on the statistics of an empty table.
 */
export class EmbeddedUpkeep {
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  /** @param pool of one connection, in which a round takes its turn: never in the midst of a transaction */
  constructor(private readonly pool: Pool) {}

  /** Begins rounds that do not keep the process alive. */
  start(): void {
    this.timer = setInterval(() => {
      // A round that fails, for want of disk space perhaps, is made up for by the next; statements of the
      // service meet the same trouble and report it.
      this.running = this.running.then(() => this.round()).catch(() => undefined);
    }, EVERY);
    this.timer.unref();
  }

  /** Ends the rounds and waits for the one under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** One round. Between its statements others of the service run. */
  async round(): Promise<void> {
    for (const table of await this.tablesToVacuum()) await this.pool.query(`VACUUM (ANALYZE) ${table}`);
    if ((await this.walBytes()) > WAL_LIMIT) await this.pool.query('CHECKPOINT');
  }

  /** Autovacuum's own thresholds (a base and a share of the table), quoted names. */
  private async tablesToVacuum(): Promise<string[]> {
    await this.pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await this.pool.query<{ name: string }>(`
      SELECT relid::regclass::text AS name FROM pg_stat_user_tables
      WHERE n_dead_tup > 50 + 0.2 * n_live_tup OR n_mod_since_analyze > 50 + 0.1 * n_live_tup`);
    return rows.map(({ name }) => name);
  }

  private async walBytes(): Promise<number> {
    const { rows } = await this.pool.query<{ bytes: number }>(`
      SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()`);
    return rows[0]?.bytes ?? 0;
  }
}
