import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import type { Transaction } from '../../database/transaction';
import { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import { type ItemKind, MOST_ITEMS, type OpenItem } from './digest';
import type { Subscription } from './subscription';
import { BOOKS_INCOMPLETE, choiceOf, DEAD_LETTER } from './topics';

/** What attention of a subscription's own messages is about, so that none notifies of its own failures. */
export function keyOfSubscription(name: string): string {
  return `subscription/${name}`;
}

interface ItemRow {
  kind: ItemKind;
  id: string;
  version: string;
  code: string;
  businessKey: string | null;
  minor: bigint | null;
  currency: string | null;
  since: Date;
  source: string | null;
  differences: number | null;
  from: string | null;
  to: string | null;
}

/** What needs a person now, and which of it a subscription has sent. */
@Injectable()
export class OpenItems {
  constructor(private readonly settings: Settings) {}

  /** Forgets what does not need a person any more: were it to come back, it would be sent again. */
  async forget(tx: Transaction, subscriptionId: string): Promise<void> {
    await tx.$executeRaw`
      delete from notification_told t
      where t.subscription_id = ${subscriptionId}::uuid and not (
        t.kind = 'attention'
          and exists (select from attention a where a.id = t.item_id and a.resolved_at is null)
        or t.kind = 'dead-letter'
          and exists (select from open_delivery o where o.id = t.item_id and o.state = 'dead')
        or t.kind = 'completeness'
          and exists (select from completeness_check c where c.source_id = t.item_id and c.differences > 0))`;
  }

  /** Open items that the subscription is about and has not sent: the oldest first. */
  async unnotified(
    tx: Transaction,
    { id: organizationId, currency }: Organization,
    { id, name, about }: Subscription,
  ): Promise<{ items: OpenItem[]; hasMore: boolean }> {
    const { codes, ofRules, deadLetters, completeness } = choiceOf(about);
    const rows = await tx.$queryRaw<ItemRow[]>`
      with open as (
        select 'attention' as kind, a.id, '' as version, a.code, a.business_key, a.amount_minor as minor, a.currency,
          a.created_at as since, null as source, null::int as differences, null::date as first_day, null::date as last_day
        from attention a
        where a.organization_id = ${organizationId}::uuid and a.resolved_at is null
          and (a.code = any(${codes}::text[]) or ${ofRules} and a.code like 'rule-%')
          and not (a.code = 'notification-failed' and a.business_key = ${keyOfSubscription(name)})
        union all
        select 'dead-letter', d.id, '', ${DEAD_LETTER}, d.business_key, null, null, d.received_at, s.slug, null, null, null
        from open_delivery o join delivery d on d.id = o.id join source s on s.id = o.source_id
        where ${deadLetters} and o.organization_id = ${organizationId}::uuid and o.state = 'dead'
          and not (o.waits_only and o.received_at > clock_timestamp()
            - make_interval(hours => ${this.settings.recordWaitHours}::int))
        union all
        select 'completeness', c.source_id, c.from_day::text || '/' || c.differences, ${BOOKS_INCOMPLETE},
          'source/' || s.slug, null, null, c.checked_at, s.slug, c.differences, c.from_day, c.checked_day
        from completeness_check c join source s on s.id = c.source_id
        where ${completeness} and s.organization_id = ${organizationId}::uuid and c.differences > 0)
      select o.kind, o.id::text as id, o.version, o.code, o.business_key as "businessKey", o.minor, o.currency, o.since,
        o.source, o.differences, o.first_day::text as "from", o.last_day::text as "to"
      from open o
      left join notification_told t
        on t.subscription_id = ${id}::uuid and t.kind = o.kind and t.item_id = o.id
      where t.version is distinct from o.version
      order by o.since, o.id
      limit ${MOST_ITEMS + 1}`;
    const items = rows.slice(0, MOST_ITEMS).map((row) => itemOf(row, currency));
    return { items, hasMore: rows.length > MOST_ITEMS };
  }

  /** Notes that the subscription has sent these. */
  async noteNotified(tx: Transaction, subscriptionId: string, items: readonly OpenItem[]): Promise<void> {
    const rows = items.map(({ kind, id, version }) => ({ kind, id, version }));
    await tx.$executeRaw`
      insert into notification_told (subscription_id, kind, item_id, version)
      select ${subscriptionId}::uuid, r.kind, r.id, r.version
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(kind text, id uuid, version text)
      on conflict (subscription_id, kind, item_id) do update set version = excluded.version`;
  }
}

function itemOf(row: ItemRow, currency: string): OpenItem {
  const { kind, id, version, code, businessKey, minor, since, source, differences, from, to } = row;
  return {
    ...{ kind, id, version, code, businessKey, since, source },
    amount: minor === null ? null : Money.ofMinor(minor, row.currency ?? currency),
    ...(differences !== null && { differing: { count: differences, from: from ?? '', to: to ?? '' } }),
  };
}
