import { alongAnIndex } from '../database/along-an-index';
import type { Transaction } from '../database/transaction';
import { lowestIdAt } from '../kernel/identifier';
import { DAY_MS, NO_ID, type RemovalBatch, type RemovedBatch, type RetainedKind } from './retained-kind';

/**
 * What stays of what was sent: it tells no person from another, and later calls and comparisons of listings are decided by it
 * (what was received for a schedule, whom a receivable is asked of, on which account). The path and the digest stay too.
 */
export const KEPT_OF_CALLS = [
  ...['value', 'reference', 'identifier', 'date', 'dueDate', 'scheduleDate', 'instalment', 'payingType'],
  ...['stakeholderId', 'accountId', 'scheduleId', 'paymentId', 'categoryId', 'costCenterId'],
  ...['originAccountId', 'destinyAccountId', 'openBalance', 'dateOfOpenBalance'],
] as const;

/**
 * The contents of calls to a remote finance service that are applied, for effects that are: names, documents, texts, what was
 * read before they were sent, and their attempts. The call, its key, state and output stay for ever.
 */
export class CallRetention implements RetainedKind {
  readonly kind = 'calls';
  readonly passMs = 30 * DAY_MS;
  readonly alongTime = true;

  async remove(
    tx: Transaction,
    { organizationId, before, place, now, limit }: RemovalBatch,
  ): Promise<RemovedBatch> {
    await alongAnIndex(tx);
    const after = (place as { id: string } | null)?.id ?? NO_ID;
    const [row] = await tx.$queryRaw<{ walked: number; removed: number; id: string | null }[]>`
      with walked as materialized (
        select id from finance_call
        where organization_id = ${organizationId}::uuid and state = 'applied'
          and id > ${after}::uuid and id < ${lowestIdAt(before)}::uuid
        order by organization_id, state, id limit ${limit}::int
      ), removed as (
        update finance_call c set
          request = (c.request - 'body' - 'said') || jsonb_build_object('removedAt', ${now.toISOString()}::text)
            || case when jsonb_typeof(c.request -> 'body') = 'object' then jsonb_build_object('body', (
              select coalesce(jsonb_object_agg(b.name, case
                when b.name = 'instalment' and jsonb_typeof(b.value) = 'array' then (
                  select coalesce(jsonb_agg(case when jsonb_typeof(i.part) = 'object' then i.part - 'description'
                    else i.part end order by i.place), '[]'::jsonb)
                  from jsonb_array_elements(b.value) with ordinality as i(part, place))
                else b.value end), '{}'::jsonb)
              from jsonb_each(c.request -> 'body') as b(name, value) where b.name = any(${[...KEPT_OF_CALLS]}::text[])))
              else '{}'::jsonb end,
          evidence = case when c.evidence ? 'openValue'
            then jsonb_build_object('openValue', c.evidence -> 'openValue') end
        from walked w
        where c.id = w.id and c.state = 'applied' and c.updated_at < ${before}::timestamptz and not c.request ? 'removedAt'
          and (starts_with(c.effect_key, 'v1/') or exists (select from effect e
            where e.organization_id = c.organization_id and e.key = c.effect_key and e.state = 'applied'))
        returning c.id
      ), attempts as (
        delete from finance_attempt a using removed r where a.call_id = r.id
      )
      select (select count(*)::int from walked) as walked, (select count(*)::int from removed) as removed,
        (select id::text from walked order by id desc limit 1) as id`;
    if (!row?.id) return { removed: 0, place: { id: after }, ended: true };
    return { removed: row.removed, place: { id: row.id }, ended: row.walked < limit };
  }
}
