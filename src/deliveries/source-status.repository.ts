import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { NO_RULE } from './completion';

/** Counting ends here, so that a backlog does not make the listing slow. */
export const MOST_COUNTED = 1_000;

/** How many of a source's newest deliveries are scanned for events that no rule took. */
export const MAX_SCANNED = 100;

/** What came of a source's deliveries. */
export interface SourceStatus {
  lastReceivedAt: Date | null;
  /** When a webhook was last refused; to the minute. */
  lastRefusedAt: Date | null;
  lastRefusal: string | null;
  /** Deliveries that wait to be worked on; {@link MOST_COUNTED} means that many or more. */
  waiting: number;
  /** Deliveries that need a person; {@link MOST_COUNTED} means that many or more. */
  dead: number;
  /** How many of the newest {@link MAX_SCANNED} deliveries brought events of which no rule took any. */
  unhandled: number;
  /** When the newest of those came in. */
  lastUnhandledAt: Date | null;
  lastUnhandledEvents: string[];
  /** When it was last compared with its provider's list; null: it never was. */
  comparedAt: Date | null;
  /** Up to when all that the list has was compared; null: nothing yet. */
  comparedUntil: Date | null;
  /** How many deliveries were missing that time. */
  missed: number;
  /** Why that comparison failed, or was not made; null: it went well. */
  comparisonFailure: string | null;
}

/** How sources are doing, from indexes of the deliveries; none is read beyond the newest few. */
@Injectable()
export class SourceStatuses {
  constructor(private readonly database: Database) {}

  /**
   * @param tx absent: outside of any transaction
   * @returns the status of each of these sources, by its identifier
   */
  async of(
    sourceIds: readonly string[],
    tx: Transaction = this.database.prisma,
  ): Promise<(sourceId: string) => SourceStatus> {
    const rows = await tx.$queryRaw<(SourceStatus & { id: string })[]>`
      select s.id::text as id, newest.received_at as "lastReceivedAt",
             source.refused_at as "lastRefusedAt", source.refused_reason as "lastRefusal", waiting.count as waiting, dead.count as dead,
             unhandled.count as unhandled, unhandled.at as "lastUnhandledAt",
             coalesce(unhandled.events, '{}') as "lastUnhandledEvents",
             compared.ended_at as "comparedAt", compared.compared_until as "comparedUntil",
             coalesce(compared.found, 0) as missed, compared.failure as "comparisonFailure"
      from unnest(${sourceIds}::uuid[]) as s(id)
      left join source on source.id = s.id
      left join source_comparison compared on compared.id = s.id
      left join lateral (
        select d.received_at from delivery d where d.source_id = s.id
        order by d.received_at desc, d.id desc limit 1
      ) newest on true
      cross join lateral (
        select count(*)::int as count from (
          select 1 from open_delivery d where d.source_id = s.id and d.state = 'waiting' limit ${MOST_COUNTED}
        ) counted
      ) waiting
      cross join lateral (
        select count(*)::int as count from (
          select 1 from open_delivery d where d.source_id = s.id and d.state = 'dead' limit ${MOST_COUNTED}
        ) counted
      ) dead
      cross join lateral (
        select count(*)::int as count, max(recent.received_at) as at,
               (select latest.events from delivery latest
                where latest.id = (array_agg(recent.id order by recent.received_at desc, recent.id desc))[1]) as events
        from (
          select d.id, d.received_at, d.outcome from delivery d where d.source_id = s.id
          order by d.received_at desc, d.id desc limit ${MAX_SCANNED}
        ) recent where starts_with(recent.outcome, ${NO_RULE})
      ) unhandled`;
    const byId = new Map(rows.map(({ id, ...status }) => [id, status]));
    return (sourceId) => byId.get(sourceId) as SourceStatus;
  }
}
