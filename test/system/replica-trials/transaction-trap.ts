import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** A work's transaction and the feed's are both waited for so long, in milliseconds; then it takes another try. */
const WAIT_LIMIT_MS = 20_000;
/** How long a statement that was let go takes to end, at most. */
const END_LIMIT_MS = 3_000;

/** A statement that is a whole transaction by itself leaves none open. */
const AMIDST = 'a.xact_start < a.query_start';

/** What a replica's transactions are doing, of those that work on orders and that place the feed. */
interface Standing {
  work: boolean;
  feed: boolean;
}

/**
 * Catches a replica in the midst of two transactions: one that works on orders and has written, and one that has
 * locked the head of the feed. Locks of the trial make it wait there; the replica is then stopped, and the locks are
 * let go, so that its statements end and nobody is left to commit.
 */
export class TransactionTrap {
  private constructor(
    private readonly observer: Client,
    private readonly onTable: Client,
    private readonly onFeed: Client,
    /** Which table is written late in the work's transaction. */
    private readonly table: 'entry' | 'finance_call',
  ) {}

  static async open(databaseUrl: string, table: 'entry' | 'finance_call'): Promise<TransactionTrap> {
    const clients = [0, 1, 2].map(() => new Client({ connectionString: databaseUrl }));
    for (const client of clients) await client.on('error', () => undefined).connect();
    const [observer, onTable, onFeed] = clients as [Client, Client, Client];
    return new TransactionTrap(observer, onTable, onFeed, table);
  }

  async close(): Promise<void> {
    await Promise.all([this.observer, this.onTable, this.onFeed].map((client) => client.end()));
  }

  /** Nothing is placed in the feed any more. */
  async lockFeed(): Promise<void> {
    await this.onFeed.query('begin');
    await this.onFeed.query('select 1 from feed_head for update');
  }

  /** No work on orders ends any more. */
  async lockWork(): Promise<void> {
    await this.onTable.query('begin');
    await this.onTable.query(`lock table ${this.table} in share mode`);
  }

  /**
   * Waits until both transactions of a replica wait for these locks. Where every order that is left begins with a
   * statement that is a transaction by itself, none comes.
   * @returns undefined, or what the replica did instead
   */
  async entered(name: string): Promise<string | undefined> {
    const wanted = `
      select coalesce(bool_or(a.wait_event_type = 'Lock' and a.query ilike '%feed_head%'), false) as feed,
        coalesce(bool_or(l.relation = '${this.table}'::regclass and not l.granted and ${AMIDST}), false) as work
      from pg_stat_activity a join pg_locks l using (pid)
      where a.application_name = $1 and a.datname = current_database()`;
    return (await this.both(wanted, name, WAIT_LIMIT_MS)) ? undefined : this.activity(name);
  }

  /** Lets go of the locks. */
  async release(): Promise<void> {
    await Promise.all([this.onTable, this.onFeed].map((client) => client.query('rollback')));
  }

  /** @returns whether a replica that was stopped has both transactions open, with nothing under way in them */
  async caught(name: string): Promise<boolean> {
    const wanted = `
      select coalesce(bool_or(l.relation = 'feed_head'::regclass and l.mode = 'RowShareLock'), false) as feed,
        coalesce(bool_or(l.relation = '${this.table}'::regclass and l.mode = 'RowExclusiveLock'), false) as work
      from pg_stat_activity a join pg_locks l using (pid)
      where a.application_name = $1 and a.datname = current_database()
        and a.state = 'idle in transaction' and l.granted`;
    return this.both(wanted, name, END_LIMIT_MS);
  }

  /** What its connections do. */
  private async activity(name: string): Promise<string> {
    const { rows } = await this.observer.query(
      `select a.state, a.wait_event, left(a.query, 200) as query, now() - a.xact_start as since,
         array(select l.relation::regclass::text || ' ' || l.mode || ' ' || l.granted from pg_locks l where l.pid = a.pid and l.relation is not null) as locks
       from pg_stat_activity a where a.application_name = $1 and a.datname = current_database() and a.state <> 'idle'`,
      [name],
    );
    return JSON.stringify(rows, null, 1);
  }

  private async both(sql: string, name: string, limitMs: number): Promise<boolean> {
    const deadline = performance.now() + limitMs;
    while (performance.now() < deadline) {
      const { rows } = await this.observer.query<Standing>(sql, [name]);
      if (rows[0]?.work && rows[0].feed) return true;
      await sleep(20);
    }
    return false;
  }
}
