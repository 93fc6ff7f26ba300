import { Injectable } from '@nestjs/common';
import { Rollup } from './rollup';

/** Folds the appended balance deltas into one row an account. */
@Injectable()
export class BalanceRollup extends Rollup {
  protected async fold(most: number): Promise<number> {
    const [row] = await this.database.prisma.$queryRaw<{ folded: number }[]>`
      with taken as materialized (
        select seq from account_balance_delta order by seq limit ${most} for update skip locked
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
