import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { Clock } from '../kernel/clock';
import { SourceProviders } from '../sources/source-providers';
import { NO_RULE } from './completion';
import { NEWEST_WEBHOOK } from './newest-webhook.sql';
import {
  COMPARED_MS,
  conditionOf,
  FEWEST_REFUSED,
  MOST_COMPARED,
  type Observed,
  type SourceCondition,
} from './source-health/condition';
import { SourceFailuresRepository } from './switch-off/source-failures.repository';
import { type FailedTopic, type SourceSwitchOff, switchOffOf } from './switch-off/source-switch-off';

/** Counting ends here, so that a backlog does not make the listing slow. */
export const MOST_COUNTED = 1_000;

/** How many of a source's newest deliveries are scanned for events that no rule took. */
export const MAX_SCANNED = 100;

/** What came of a source's deliveries. */
export interface SourceStatus extends SourceCondition {
  /** Whether its provider is about to switch a webhook off for failed deliveries, or probably has; null: neither. */
  switchOff: SourceSwitchOff | null;
  /** When the newest webhook came; what was imported is none. */
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
  /** What the provider had registered when it was asked last; null: it was never asked. */
  hooks: { checkedAt: string; problem: string | null } | null;
  /** When it was last compared with its provider's list; null: it never was. */
  comparedAt: Date | null;
  /** Up to when all that the list has was compared; null: nothing yet. */
  comparedUntil: Date | null;
  /** How many deliveries were missing that time. */
  missed: number;
  /** Why that comparison failed, or was not made; null: it went well. */
  comparisonFailure: string | null;
  /** What its daily comparison with the books came to; null: there was none. */
  completeness: SourceCompleteness | null;
}

/** What a daily comparison of a source with the books came to. */
export interface SourceCompleteness {
  /** ISO 8601; null: none ended. */
  checkedAt: string | null;
  /** `YYYY-MM-DD` */
  from: string | null;
  /** `YYYY-MM-DD`, the last day. */
  to: string | null;
  /** Orders and payouts. */
  compared: number;
  differences: number;
  /** Of the deliveries that they are about, how many a repair works on again. */
  repairable: number;
  /** Why the last one could not be made; null: it was. */
  failure: string | null;
}

type Row = Omit<SourceStatus, keyof SourceCondition | 'switchOff'> &
  Observed & { id: string; provider: string | null };

/** How sources are doing, from indexes of the deliveries; none is read beyond the newest few. */
@Injectable()
export class SourceStatuses {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly providers: SourceProviders,
    private readonly failures: SourceFailuresRepository,
  ) {}

  /**
   * @param tx absent: outside of any transaction
   * @returns the status of each of these sources, by its identifier
   */
  async of(
    sourceIds: readonly string[],
    tx: Transaction = this.database.prisma,
  ): Promise<(sourceId: string) => SourceStatus> {
    const now = this.clock.now();
    const since = new Date(now.getTime() - COMPARED_MS);
    const rows = await tx.$queryRaw<Row[]>`
      select s.id::text as id, newest.received_at as "lastReceivedAt",
             source.refused_at as "lastRefusedAt", source.refused_reason as "lastRefusal", waiting.count as waiting, dead.count as dead,
             unhandled.count as unhandled, unhandled.at as "lastUnhandledAt",
             coalesce(unhandled.events, '{}') as "lastUnhandledEvents",
             coalesce(source.paused, false) as paused, source.provider, coalesce(source.settings, '{}') as settings,
             health.expected_within_seconds as "learnedSeconds", refused.count as refused, accepted.count as accepted,
             case when hooks.checked_at is not null then json_build_object(
               'checkedAt', to_char(hooks.checked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
               'problem', hooks.problem) end as hooks,
             compared.ended_at as "comparedAt", compared.compared_until as "comparedUntil",
             coalesce(compared.found, 0) as missed, compared.failure as "comparisonFailure",
             case when complete.checked_at is not null or complete.failure is not null then json_build_object(
               'checkedAt', to_char(complete.checked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
               'from', complete.from_day, 'to', complete.checked_day, 'compared', complete.compared,
               'differences', complete.differences, 'repairable', complete.repairable, 'failure', complete.failure
             ) end as completeness
      from unnest(${sourceIds}::uuid[]) as s(id)
      left join source on source.id = s.id
      left join source_health health on health.source_id = s.id
      left join source_hooks hooks on hooks.source_id = s.id
      left join source_comparison compared on compared.id = s.id
      left join completeness_check complete on complete.source_id = s.id
      cross join lateral (
        select least(coalesce(sum(c.count), 0), ${MOST_COMPARED})::int as count from source_refusal_count c
        where c.source_id = s.id and c.since > ${since}::timestamptz
      ) refused
      cross join lateral (
        select count(*)::int as count from (
          select 1 from delivery d where refused.count >= ${FEWEST_REFUSED} and d.source_id = s.id
            and d.received_at > ${since}::timestamptz limit refused.count
        ) counted
      ) accepted
      left join lateral (
        ${NEWEST_WEBHOOK}
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
    const failed = await this.failures.of(sourceIds, tx);
    const byId = new Map(rows.map(({ id, ...row }) => [id, this.statusOf(row, failed.get(id) ?? [], now)]));
    return (sourceId) => byId.get(sourceId) as SourceStatus;
  }

  private statusOf(row: Omit<Row, 'id'>, failed: readonly FailedTopic[], now: Date): SourceStatus {
    const { provider, paused, settings, learnedSeconds, refused, accepted, ...status } = row;
    const observed = {
      paused,
      settings,
      lastReceivedAt: status.lastReceivedAt,
      learnedSeconds,
      refused,
      accepted,
    };
    const { removedWhenQuietHours, switchesOff } = this.providers.find(provider ?? '') ?? {};
    return {
      ...status,
      ...conditionOf({ ...observed, removedWhenQuietHours }, now),
      switchOff: (switchesOff && switchOffOf(switchesOff, failed, now)) ?? null,
    };
  }
}
