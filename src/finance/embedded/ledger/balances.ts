import type { Transaction } from '../../../database/transaction';

/** What can run a query: an open transaction, or the client outside of one. */
export type Queries = Pick<Transaction, '$queryRaw'>;

/**
 * Balances in minor units by account: the rolled-up balance plus the deltas appended since, read in one
 * snapshot. Costs the same however many entries an account has. An account nothing was booked on is zero.
 */
export async function readBalances(
  queries: Queries,
  accountIds: readonly string[],
): Promise<Map<string, bigint>> {
  if (accountIds.length === 0) return new Map();
  const rows = await queries.$queryRaw<{ id: string; balance: bigint }[]>`
    select a.id,
      (coalesce((select b.balance_minor from account_balance b where b.account_id = a.id), 0)
       + coalesce((select sum(d.delta_minor) from account_balance_delta d where d.account_id = a.id), 0)
      )::bigint as balance
    from (
      select value::uuid as id from jsonb_array_elements_text(${JSON.stringify(accountIds)}::jsonb)
    ) as a`;
  return new Map(rows.map(({ id, balance }) => [id, balance]));
}
