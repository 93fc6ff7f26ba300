import type { Transaction } from '../database/transaction';
import { queryInTransaction } from '../database/transaction-statements';
import { type MoneyFacts, togetherWith } from '../events/money-facts';

/** Money facts with the source that told them. */
export interface ToldFacts {
  /** UUID */
  readonly organizationId: string;
  /** UUID */
  readonly sourceId: string;
  readonly facts: MoneyFacts;
}

/*
 * Facts that are stored already stay unless the new ones are newer, or name what those do not. Messages come in any order:
 * `togetherWith` says the same of two in memory. Rows are written in the order of their keys, so that two transactions that
 * write the same do not wait for each other.
 */
const STORE = `
  insert into money_facts as f (source_id, key, organization_id, kind, made_at, as_of, currency, total_minor, payments, refunds,
    fees, instalments, test, cancelled)
  select r."sourceId", r.key, r."organizationId", r.kind, r."madeAt", r."asOf", r.currency, r.total, r.payments, r.refunds,
    r.fees, r.instalments, r.test, r.cancelled
  from jsonb_to_recordset($1::jsonb) as r("sourceId" uuid, key text, "organizationId" uuid, kind text, "madeAt" timestamptz,
    "asOf" timestamptz, currency text, total bigint, payments jsonb, refunds jsonb, fees jsonb, instalments int, test boolean,
    cancelled boolean)
  order by r."sourceId", r.key
  on conflict (source_id, key) do update set
    made_at = case when excluded.as_of >= f.as_of then excluded.made_at else f.made_at end,
    as_of = greatest(excluded.as_of, f.as_of),
    currency = case when excluded.as_of >= f.as_of then excluded.currency else f.currency end,
    total_minor = case when excluded.as_of >= f.as_of then excluded.total_minor else f.total_minor end,
    payments = case when excluded.as_of >= f.as_of then f.payments || excluded.payments else excluded.payments || f.payments end,
    refunds = case when excluded.as_of >= f.as_of then f.refunds || excluded.refunds else excluded.refunds || f.refunds end,
    fees = case when excluded.as_of >= f.as_of then f.fees || excluded.fees else excluded.fees || f.fees end,
    instalments = greatest(excluded.instalments, f.instalments),
    test = case when excluded.as_of >= f.as_of then excluded.test else f.test end,
    cancelled = case when excluded.as_of >= f.as_of then excluded.cancelled else f.cancelled end
  where excluded.as_of > f.as_of or excluded.instalments > f.instalments
    or not (f.payments @> excluded.payments and f.refunds @> excluded.refunds and f.fees @> excluded.fees)
    or (excluded.as_of = f.as_of and (excluded.total_minor, excluded.test, excluded.cancelled)
      is distinct from (f.total_minor, f.test, f.cancelled))`;

/** Stores what messages say of money beside what earlier ones said. @param told in the order in which they were worked on */
export async function storeMoneyFacts(tx: Transaction, told: readonly ToldFacts[]): Promise<void> {
  if (told.length === 0) return;
  await queryInTransaction(tx, STORE, [JSON.stringify(onceEach(told).map(rowOf))]);
}

/** One statement writes each row once. */
function onceEach(told: readonly ToldFacts[]): ToldFacts[] {
  const byName = new Map<string, ToldFacts>();
  for (const one of told) {
    const name = `${one.sourceId} ${one.facts.key}`;
    const before = byName.get(name);
    byName.set(name, before ? { ...one, facts: togetherWith(before.facts, one.facts) } : one);
  }
  return [...byName.values()];
}

function rowOf({ facts, ...about }: ToldFacts): object {
  return { ...about, ...facts };
}
