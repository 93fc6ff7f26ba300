import type { Queries } from './balances';

/** The first number that does not follow from the entries. Amounts are minor units. */
export interface LedgerDifference {
  /**
   * `account`: a balance. `opening`: an account's opening balance. `reversal`: an entry that takes another one
   * back; expected is what it mirrors, zero where it mirrors nothing. `schedule`: what is open of one.
   */
  what: 'account' | 'opening' | 'reversal' | 'schedule' | 'schedule value';
  /** UUID of the account, schedule or reversal. */
  id: string;
  /** What the entries say. */
  expectedMinor: bigint;
  /** What is in the tables. */
  actualMinor: bigint;
}

export interface LedgerVerification {
  entries: number;
  accounts: number;
  schedules: number;
  /** Absent when every number follows from the entries. */
  difference?: LedgerDifference;
}

interface Row {
  entries: number;
  accounts: number;
  schedules: number;
  what: LedgerDifference['what'] | null;
  id: string | null;
  expected: bigint | null;
  actual: bigint | null;
}

/**
 * Recomputes every balance, opening balance, schedule value and open value from the entries alone and compares
 * them with what is in the tables; what was reversed counts for nothing. Every reversal must mirror its entry. One
 * statement, hence one snapshot: it may run while others write. It reads every entry.
 */
export async function verifyLedger(queries: Queries): Promise<LedgerVerification> {
  const [row] = await queries.$queryRaw<Row[]>`
    with sides as materialized (
      select e.debit_book as book, e.debit_id as id, coalesce(o.kind, e.kind) as kind, e.amount_minor as minor
      from entry e left join entry o on o.id = e.reverses_id
      union all
      select e.credit_book, e.credit_id, coalesce(o.kind, e.kind), -e.amount_minor
      from entry e left join entry o on o.id = e.reverses_id
    ), entries_say as (
      select 'account' as what, id, sum(minor) as minor from sides where book = 'account' group by id
      union all
      select 'opening', id, sum(minor) from sides where book = 'account' and kind = 'opening' group by id
      union all
      select 'schedule', id, sum(case book when 'receivable' then minor else -minor end)
      from sides where book in ('receivable', 'payable') group by id
      union all
      select 'schedule value', id, sum(case book when 'receivable' then minor else -minor end)
      from sides where (book, kind) in (('receivable', 'receivable'), ('payable', 'payable')) group by id
      union all
      select 'reversal', r.id, e.amount_minor from entry r join entry e on e.id = r.reverses_id
      where r.kind = 'reversal' and e.kind <> 'reversal' and e.organization_id = r.organization_id
        and (e.debit_book, e.debit_id, e.credit_book, e.credit_id)
          = (r.credit_book, r.credit_id, r.debit_book, r.debit_id)
    ), tables_hold as (
      select 'account' as what, id, sum(minor) as minor from (
        select account_id as id, balance_minor as minor from account_balance
        union all
        select account_id, delta_minor from account_balance_delta
      ) as kept group by id
      union all
      select 'opening', id, open_balance_minor from account
      union all
      select 'schedule', id, open_minor from schedule
      union all
      select 'schedule value', id, value_minor from schedule
      union all
      select 'reversal', id, amount_minor from entry where kind = 'reversal'
    ), differing as (
      select coalesce(e.what, t.what) as what, coalesce(e.id, t.id) as id,
        coalesce(e.minor, 0)::bigint as expected, coalesce(t.minor, 0)::bigint as actual
      from entries_say e full join tables_hold t on t.what = e.what and t.id = e.id
      where coalesce(e.minor, 0) <> coalesce(t.minor, 0)
      order by 1, 2 limit 1
    )
    select (select count(*) from entry)::int as entries, (select count(*) from account)::int as accounts,
      (select count(*) from schedule)::int as schedules, d.what, d.id, d.expected, d.actual
    from (select 1) as always left join differing d on true`;
  if (!row) throw new Error('the verification returned nothing');
  const { entries, accounts, schedules, what, id, expected, actual } = row;
  if (what === null || id === null || expected === null || actual === null) {
    return { entries, accounts, schedules };
  }
  return {
    entries,
    accounts,
    schedules,
    difference: { what, id, expectedMinor: expected, actualMinor: actual },
  };
}
