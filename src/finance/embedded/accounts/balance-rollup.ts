import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { Transaction } from '../../../database/transaction';
import { wireAmount } from '../../api/shapes/wire';
import { Clock } from '../../../kernel/clock';
import type { Organization } from '../../../kernel/organization';
import { announce } from '../changes/announce';
import { Rollup } from '../ledger/rollup';

/** An account whose balance is another than the one that was announced last. */
interface ChangedBalance extends Omit<Organization, 'id'> {
  readonly accountId: string;
  readonly organizationId: string;
  /** Minor units; null: none was announced before. */
  readonly before: bigint | null;
}

/**
 * Folds the appended balance deltas into one row an account, and announces the balances that changed. What books on an
 * account appends to its balance without waiting for others, so it cannot know the balance that its commit will make.
 * Here alone it is known: one replica at a time folds, and announces each balance as one snapshot of the books has it.
 */
@Injectable()
export class BalanceRollup extends Rollup {
  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    super(database);
  }

  protected async fold(most: number): Promise<number> {
    const [some] = await this.database.prisma.$queryRaw<
      unknown[]
    >`select 1 from account_balance_delta limit 1`;
    if (!some) return 0;
    return this.database.transaction(async (tx) => {
      if (!(await isAlone(tx))) return 0;
      const sums = await foldDeltas(tx, most);
      await this.announceBalances(
        tx,
        sums.map(({ accountId }) => accountId),
      );
      return sums.reduce((total, { folded }) => total + folded, 0);
    });
  }

  private async announceBalances(tx: Transaction, accountIds: readonly string[]): Promise<void> {
    const changed = await takeChanged(tx, accountIds);
    const changes = changed.map(({ accountId, organizationId, before, ...organization }) => ({
      type: 'balance.changed' as const,
      id: accountId,
      organization: { ...organization, id: organizationId },
      besides: before === null ? {} : { balanceBefore: wireAmount(before, organization.currency) },
    }));
    await announce(tx, changes, this.clock.now());
  }
}

/** Whether no other replica folds: a balance without the deltas that another has taken would never have been true. */
async function isAlone(tx: Transaction): Promise<boolean> {
  const [lock] = await tx.$queryRaw<{ had: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended('balance-rollup', 0)) as had`;
  return lock?.had === true;
}

async function foldDeltas(tx: Transaction, most: number): Promise<{ accountId: string; folded: number }[]> {
  return tx.$queryRaw<{ accountId: string; folded: number }[]>`
    with taken as materialized (
      select seq from account_balance_delta order by seq limit ${most} for update skip locked
    ), gone as (
      delete from account_balance_delta d using taken t where d.seq = t.seq
      returning d.account_id, d.delta_minor
    ), sums as (
      select account_id, sum(delta_minor)::bigint as minor, count(*)::int as folded
      from gone group by account_id order by account_id
    ), kept as (
      insert into account_balance (account_id, balance_minor)
      select account_id, minor from sums
      on conflict (account_id) do update set balance_minor = account_balance.balance_minor + excluded.balance_minor
    )
    select account_id::text as "accountId", folded from sums`;
}

/** Notes the balances as announced: what was folded, and what was committed and is not folded yet. One statement. */
async function takeChanged(tx: Transaction, accountIds: readonly string[]): Promise<ChangedBalance[]> {
  return tx.$queryRaw<ChangedBalance[]>`
    with current as materialized (
      select b.account_id, b.announced_minor as before, b.balance_minor + coalesce(
        (select sum(d.delta_minor) from account_balance_delta d where d.account_id = b.account_id), 0)::bigint as minor
      from account_balance b where b.account_id = any(${[...accountIds]}::uuid[])
    )
    update account_balance b set announced_minor = c.minor
    from current c join account a on a.id = c.account_id join organization o on o.id = a.organization_id
    where b.account_id = c.account_id and c.before is distinct from c.minor
    returning b.account_id::text as "accountId", c.before, o.id::text as "organizationId", o.slug, o.name,
      o.time_zone as "timeZone", o.currency`;
}
