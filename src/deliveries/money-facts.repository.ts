import {
  bigintArray,
  booleanArray,
  instantArray,
  intArray,
  textArray,
  uuidArray,
} from '../database/binary-array';
import { Prisma } from '../database/client/client';
import { rowsOf } from '../database/rows-of';
import type { Transaction } from '../database/transaction';
import { queryInTransaction } from '../database/transaction-statements';
import { type MoneyFacts, togetherWith } from '../events/money-facts';
import type { Organization } from '../kernel/organization';
import type { ReturningOrder } from '../workflows/returned-twice.repository';

/** Columns of `money_facts` as {@link MoneyFacts}. */
export const MONEY_FACTS = Prisma.sql`key, kind, number, order_key as "orderKey", made_at as "madeAt", as_of as "asOf", currency,
  total_minor::text as total, payments, refunds, fees, coalesce(gateways, '{}') as gateways, instalments, test, cancelled`;

/** Money facts with the source that reported them. */
export interface ReportedFacts {
  readonly organization: Organization;
  /** UUID */
  readonly sourceId: string;
  readonly facts: MoneyFacts;
}

/** What {@link storeMoneyFacts} sends of each. */
const REPORTED = rowsOf(`
  source_id uuid, key text, organization_id uuid, kind text, made_at timestamptz, as_of timestamptz,
  currency text, total bigint, payments text, refunds text, fees text, instalments int, test boolean,
  cancelled boolean, gateways text, number text, order_key text`);

/*
 * Facts that are stored already stay unless the new ones are newer, or name what those do not. Messages come in any order:
 * `togetherWith` says the same of two in memory. Rows are written in the order of their keys, so that two transactions that
 * write the same do not wait for each other.
 */
const STORE = `
  with stored as (
  insert into money_facts as f (source_id, key, organization_id, kind, made_at, as_of, currency, total_minor, payments, refunds,
    fees, instalments, test, cancelled, gateways, number, order_key)
  select r.source_id, r.key, r.organization_id, r.kind, r.made_at, r.as_of, r.currency, r.total, r.payments::jsonb,
    r.refunds::jsonb, r.fees::jsonb, r.instalments, r.test, r.cancelled, r.gateways::jsonb, r.number, r.order_key
  from ${REPORTED} r
  order by r.source_id, r.key
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
    cancelled = case when excluded.as_of >= f.as_of then excluded.cancelled else f.cancelled end,
    gateways = case when excluded.as_of >= f.as_of then coalesce(f.gateways, '{}') || excluded.gateways
      else excluded.gateways || coalesce(f.gateways, '{}') end,
    number = case when excluded.as_of >= f.as_of then coalesce(excluded.number, f.number)
      else coalesce(f.number, excluded.number) end,
    order_key = case when excluded.as_of >= f.as_of then coalesce(excluded.order_key, f.order_key)
      else coalesce(f.order_key, excluded.order_key) end
  where excluded.as_of > f.as_of or excluded.instalments > f.instalments
    or not (f.payments @> excluded.payments and f.refunds @> excluded.refunds and f.fees @> excluded.fees
      and coalesce(f.gateways, '{}') @> excluded.gateways)
    or (f.number is null and excluded.number is not null) or (f.order_key is null and excluded.order_key is not null)
    or (excluded.as_of = f.as_of and (excluded.total_minor, excluded.test, excluded.cancelled, coalesce(excluded.number, f.number),
      coalesce(excluded.order_key, f.order_key))
      is distinct from (f.total_minor, f.test, f.cancelled, f.number, f.order_key))
  returning f.source_id, coalesce(f.order_key, f.key) as key, f.order_key is not null or f.kind = 'order' and f.refunds <> '{}' as returns
  )
  select source_id::text as "sourceId", key from stored where returns`;

/**
 * Stores what messages say of money beside what earlier ones said.
 * @param reported in the order in which they were worked on
 * @returns the orders of which something new was said and money went back: by a refund, or by a dispute that names its order
 */
export async function storeMoneyFacts(
  tx: Transaction,
  reported: readonly ReportedFacts[],
): Promise<ReturningOrder[]> {
  if (reported.length === 0) return [];
  const each = onceEach(reported);
  const facts = each.map((one) => one.facts);
  const returning = await queryInTransaction<Omit<ReturningOrder, 'organization'>>(tx, STORE, [
    uuidArray(each.map(({ sourceId }) => sourceId)),
    textArray(facts.map(({ key }) => key)),
    uuidArray(each.map(({ organization }) => organization.id)),
    textArray(facts.map(({ kind }) => kind)),
    instantArray(facts.map(({ madeAt }) => madeAt)),
    instantArray(facts.map(({ asOf }) => asOf)),
    textArray(facts.map(({ currency }) => currency)),
    bigintArray(facts.map(({ total }) => BigInt(total))),
    textArray(facts.map(({ payments }) => JSON.stringify(payments))),
    textArray(facts.map(({ refunds }) => JSON.stringify(refunds))),
    textArray(facts.map(({ fees }) => JSON.stringify(fees))),
    intArray(facts.map(({ instalments }) => instalments)),
    booleanArray(facts.map(({ test }) => test)),
    booleanArray(facts.map(({ cancelled }) => cancelled)),
    textArray(facts.map(({ gateways }) => JSON.stringify(gateways))),
    textArray(facts.map(({ number }) => number)),
    textArray(facts.map(({ orderKey }) => orderKey)),
  ]);
  const bySource = new Map(reported.map(({ sourceId, organization }) => [sourceId, organization]));
  return returning.flatMap((order) => {
    const organization = bySource.get(order.sourceId);
    return organization ? [{ ...order, organization }] : [];
  });
}

/** One statement writes each row once. */
function onceEach(reported: readonly ReportedFacts[]): ReportedFacts[] {
  const byName = new Map<string, ReportedFacts>();
  for (const one of reported) {
    const name = `${one.sourceId} ${one.facts.key}`;
    const before = byName.get(name);
    byName.set(name, before ? { ...one, facts: togetherWith(before.facts, one.facts) } : one);
  }
  return [...byName.values()];
}
