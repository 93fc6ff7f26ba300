import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction';
import { subjectOf, type ChangeType } from '../../feed/changes/change-types';
import type { Item, ListingKind } from './observation';

/** Ponte writes the time of a settled call down before it commits it, by the clock of whichever replica. */
const LATENESS_MS = 60_000;

/** Under which name a kind's records are announced, and so found again. */
const SUBJECTS: Partial<Record<ListingKind, ChangeType>> = {
  accounts: 'account.created',
  'cost-centers': 'cost-center.updated',
  'debit-schedules': 'debit-schedule.created',
};

/** A change of a record in the feed. */
export interface AnnouncedChange {
  readonly id: string;
  readonly data: Item;
  /** In the feed; null: it has none yet. */
  readonly position: bigint | null;
}

/** What Ponte asked of a remote service and does not know the outcome of: by record, and accounts by their name. */
export interface Unsettled {
  readonly recordIds: ReadonlySet<string>;
  readonly accountNames: ReadonlySet<string>;
}

/** A receipt that Ponte sent for a schedule. */
export interface OwnReceipt {
  readonly scheduleId: string;
  readonly value: unknown;
  /** When it was known to be in effect; null: it may be or not. */
  readonly at: Date | null;
}

/** What Ponte itself did to records that are polled. */
@Injectable()
export class OwnChanges {
  /** Changes of records in the feed, the last at the end. */
  async announcedChanges(
    tx: Transaction,
    organizationId: string,
    kind: ListingKind,
    recordIds: readonly string[],
  ): Promise<AnnouncedChange[]> {
    const type = SUBJECTS[kind];
    if (!type || recordIds.length === 0) return [];
    const prefix = subjectOf(type, '');
    const subjects = recordIds.map((id) => `${prefix}${id}`);
    // The types are written out as the partial index names them.
    return tx.$queryRaw<AnnouncedChange[]>`
      select substr(c.subject, ${prefix.length + 1}::int) as id, c.data, b.position
      from feed_change c
      left join feed_batch b on b.id = c.batch_id
      left join feed_waiting w on w.id = c.batch_id
      where c.subject = any(${subjects}::text[])
        and c.type in ('account.created', 'account.updated', 'cost-center.created', 'cost-center.updated',
          'debit-schedule.created')
        and coalesce(b.organization_id, w.organization_id) = ${organizationId}::uuid
      order by b.position nulls last, c.batch_id, c.number`;
  }

  /** Records with changes in the feed after a position: they may be as they were all the same. */
  async recentlyAnnounced(
    tx: Transaction,
    organizationId: string,
    kind: ListingKind,
    feedPosition: bigint | null,
  ): Promise<string[]> {
    if (kind !== 'accounts' && kind !== 'cost-centers') return [];
    const prefix = kind === 'accounts' ? 'account/' : 'cost-center/';
    const rows = await tx.$queryRaw<{ id: string }[]>`
      select distinct substr(c.subject, ${prefix.length + 1}::int) as id
      from feed_batch b join feed_change c on c.batch_id = b.id
      where b.organization_id = ${organizationId}::uuid and b.position > ${feedPosition ?? 0n}::bigint
        and c.type in ('account.created', 'account.updated', 'cost-center.created', 'cost-center.updated',
          'debit-schedule.created')
        and starts_with(c.subject, ${prefix})`;
    return rows.map(({ id }) => id);
  }

  /** Calls that may be in effect and are not announced, other than receipts. */
  async unsettled(tx: Transaction, organizationId: string): Promise<Unsettled> {
    const rows = await tx.$queryRaw<{ recordId: string | null; name: string | null }[]>`
      select lower(coalesce(request #>> '{path,CostCenterId}', request #>> '{path,AccountId}',
          request #>> '{path,ScheduleId}')) as "recordId",
        case when operation = 'accounts.create' then request #>> '{body,name}' end as name
      from finance_call
      where organization_id = ${organizationId}::uuid and state in ('intended', 'unknown') and abandoned_at is null
        and operation in ('accounts.create', 'accounts.update', 'costCenters.update', 'payments.remove')`;
    return {
      recordIds: new Set(rows.flatMap(({ recordId }) => recordId ?? [])),
      accountNames: new Set(rows.flatMap(({ name }) => name ?? [])),
    };
  }

  /** Receipts for schedules that are or may be in effect. */
  async receiptsFor(
    tx: Transaction,
    organizationId: string,
    scheduleIds: readonly string[],
  ): Promise<OwnReceipt[]> {
    if (scheduleIds.length === 0) return [];
    return tx.$queryRaw<OwnReceipt[]>`
      with alike as materialized (
        select request, state, announced_at, abandoned_at, updated_at from finance_call
        where operation = 'receipts.registerForSchedule' and organization_id = ${organizationId}::uuid
          and request #>> '{path,ScheduleId}' = any(${[...scheduleIds]}::text[])
      )
      select lower(request #>> '{path,ScheduleId}') as "scheduleId", request #> '{body,value}' as value,
        case when state = 'applied' then coalesce(announced_at, updated_at) end as at
      from alike where state in ('intended', 'unknown', 'applied') and abandoned_at is null`;
  }

  /** @returns those of the schedules that Ponte made. */
  async madeByPonte(
    tx: Transaction,
    organizationId: string,
    scheduleIds: readonly string[],
  ): Promise<Set<string>> {
    const rows = await tx.remoteSchedule.findMany({
      where: { organizationId, scheduleId: { in: [...scheduleIds] } },
      select: { scheduleId: true },
    });
    return new Set(rows.map(({ scheduleId }) => scheduleId));
  }
}

/** From when on a call may not have been in effect when a poll began. */
export function possiblyAfter(pollStartedAt: Date): Date {
  return new Date(pollStartedAt.getTime() - LATENESS_MS);
}
