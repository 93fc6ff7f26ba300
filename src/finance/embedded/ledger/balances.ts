import { uuidArray } from '../../../database/binary-array';
import { Prisma } from '../../../database/client/client';
import type { Transaction } from '../../../database/transaction';
import { queryInTransaction } from '../../../database/transaction-statements';

/** What can run a query: an open transaction, or the client outside of one. */
export type Queries = Pick<Transaction, '$queryRaw'>;

interface BalanceRow {
  id: string;
  balance: bigint;
}

/** Of an account `a`: the rolled-up balance plus the deltas appended since. */
const BALANCE = `(coalesce((select b.balance_minor from account_balance b where b.account_id = a.id), 0)
  + coalesce((select sum(d.delta_minor) from account_balance_delta d where d.account_id = a.id), 0))::bigint`;

/**
 * Balances in minor units by account, read in one snapshot. Costs the same however many entries an account has. An account
 * nothing was booked on is zero.
 * @param accountIds UUIDs
 */
export async function readBalances(
  queries: Queries,
  accountIds: readonly string[],
): Promise<Map<string, bigint>> {
  if (accountIds.length === 0) return new Map();
  const rows = await queries.$queryRaw<BalanceRow[]>`
    select a.id, ${Prisma.raw(BALANCE)} as balance
    from (
      select value::uuid as id from jsonb_array_elements_text(${JSON.stringify(accountIds)}::jsonb)
    ) as a`;
  return balancesOf(rows);
}

/** As {@link readBalances}, by a statement that is prepared where those of the transaction are. */
export async function readBalancesWithin(
  tx: Transaction,
  accountIds: readonly string[],
): Promise<Map<string, bigint>> {
  if (accountIds.length === 0) return new Map();
  const text = `select a.id, ${BALANCE} as balance from unnest($1::uuid[]) as a(id)`;
  return balancesOf(await queryInTransaction<BalanceRow>(tx, text, [uuidArray(accountIds)]));
}

function balancesOf(rows: readonly BalanceRow[]): Map<string, bigint> {
  return new Map(rows.map(({ id, balance }) => [id, balance]));
}
