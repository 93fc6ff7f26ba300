import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../../database/database';

/** Deltas folded at a time: small enough to keep the statement short. */
const BATCH = 5_000;

const EVERY_MS = 2_000;

/**
 * Folds the appended balance deltas into one row an account, so that reading a balance stays cheap. Any number
 * of replicas may do this at once: each takes deltas that no other has taken.
 */
@Injectable()
export class BalanceRollup {
  private readonly logger = new Logger(BalanceRollup.name);
  private running = false;

  constructor(private readonly database: Database) {}

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('balance-rollup', EVERY_MS)
  async tick(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      await this.rollUp();
    } catch (error) {
      this.logger.error({ error }, 'balances could not be rolled up; the next run tries again');
    } finally {
      this.running = false;
    }
  }

  /** Folds everything there is, batch by batch. @returns how many deltas were folded */
  async rollUp(): Promise<number> {
    let total = 0;
    for (let folded = BATCH; folded === BATCH; total += folded) folded = await this.fold();
    return total;
  }

  /** One statement, so that no reader sees a delta twice or not at all. */
  private async fold(): Promise<number> {
    const [row] = await this.database.prisma.$queryRaw<{ folded: number }[]>`
      with taken as materialized (
        select seq from account_balance_delta order by seq limit ${BATCH} for update skip locked
      ), gone as (
        delete from account_balance_delta d using taken t where d.seq = t.seq
        returning d.account_id, d.delta_minor
      ), sums as (
        select account_id, sum(delta_minor)::bigint as minor from gone group by account_id order by account_id
      ), kept as (
        insert into account_balance (account_id, balance_minor)
        select account_id, minor from sums
        on conflict (account_id) do update set balance_minor = account_balance.balance_minor + excluded.balance_minor
      )
      select count(*)::int as folded from gone`;
    return row?.folded ?? 0;
  }
}
