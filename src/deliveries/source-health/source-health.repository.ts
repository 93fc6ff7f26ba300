import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import type { Organization } from '../../kernel/organization';
import { SourceProviders } from '../../sources/source-providers';
import { NEWEST_WEBHOOK } from '../newest-webhook.sql';
import { COMPARED_MS, FEWEST_REFUSED, MOST_COMPARED, type Observed } from './condition';

/** A source as it is, and as it was found to be by the last check. */
export interface CheckedSource extends Observed {
  id: string;
  provider: string;
  slug: string;
  organization: Organization;
  /** The newest that a webhook brought. Null: there is none. */
  lastDeliveryId: string | null;
  lastRefusal: string | null;
  silentSince: Date | null;
  failingSince: Date | null;
}

/** In which ways a source may be found to be unwell. */
export type Ailment = 'silent' | 'failing';

/** What is remembered of how sources are doing. */
@Injectable()
export class SourceHealthRepository {
  constructor(
    private readonly database: Database,
    private readonly providers: SourceProviders,
  ) {}

  /** Sources of which nothing was learned since then, those longest ago first. @param most at most so many */
  async notLearnedSince(before: Date, most: number): Promise<string[]> {
    // What is silent is left alone: it would unlearn what was usual.
    const rows = await this.database.prisma.$queryRaw<{ id: string }[]>`
      select s.id::text as id from source s left join source_health h on h.source_id = s.id
      where not s.paused and h.silent_since is null
        and (h.learned_at is null or h.learned_at < ${before}::timestamptz)
      order by h.learned_at nulls first, s.id limit ${most}::int`;
    return rows.map(({ id }) => id);
  }

  async learn(sourceId: string, expectedWithinSeconds: number | null, now: Date): Promise<void> {
    await this.database.prisma.$executeRaw`
      insert into source_health (source_id, expected_within_seconds, learned_at)
      values (${sourceId}::uuid, ${expectedWithinSeconds}::int, ${now}::timestamptz)
      on conflict (source_id) do update
      set expected_within_seconds = excluded.expected_within_seconds, learned_at = excluded.learned_at
      where source_health.silent_since is null`;
  }

  /**
   * Every source that was learned of, from a few rows of indexes each.
   * @param only those that the last check found unwell, at most so many; absent: all
   */
  async observed(now: Date, only?: { unwell: number }): Promise<CheckedSource[]> {
    const since = new Date(now.getTime() - COMPARED_MS);
    const rows = await this.database.prisma.$queryRaw<CheckedSource[]>`
      select s.id::text as id, s.slug, s.provider, s.paused, s.settings, s.refused_reason as "lastRefusal",
        json_build_object('id', o.id, 'slug', o.slug, 'name', o.name, 'timeZone', o.time_zone,
                          'currency', o.currency) as organization,
        h.expected_within_seconds as "learnedSeconds", h.silent_since as "silentSince", h.failing_since as "failingSince",
        newest.id::text as "lastDeliveryId", newest.received_at as "lastReceivedAt",
        refused.count as refused, accepted.count as accepted
      from source_health h join source s on s.id = h.source_id join organization o on o.id = s.organization_id
      left join lateral (
        ${NEWEST_WEBHOOK}) newest on true
      cross join lateral (
        select least(coalesce(sum(c.count), 0), ${MOST_COMPARED})::int as count from source_refusal_count c
        where c.source_id = s.id and c.since > ${since}::timestamptz) refused
      cross join lateral (
        select count(*)::int as count from (
          select from delivery d where refused.count >= ${FEWEST_REFUSED} and d.source_id = s.id
            and d.received_at > ${since}::timestamptz limit refused.count) counted) accepted
      where ${only === undefined} or h.silent_since is not null or h.failing_since is not null
      order by s.id limit ${only?.unwell ?? null}::int`;
    return rows.map((row) => ({
      ...row,
      removedWhenQuietHours: this.providers.find(row.provider)?.removedWhenQuietHours,
    }));
  }

  /** @returns whether this call did it; false: another replica has */
  async begins(tx: Transaction, sourceId: string, ailment: Ailment, now: Date): Promise<boolean> {
    const changed =
      ailment === 'silent'
        ? tx.sourceHealth.updateMany({ where: { sourceId, silentSince: null }, data: { silentSince: now } })
        : tx.sourceHealth.updateMany({
            where: { sourceId, failingSince: null },
            data: { failingSince: now },
          });
    return (await changed).count > 0;
  }

  /** @returns whether this call did it; false: another replica has */
  async ends(tx: Transaction, sourceId: string, ailment: Ailment): Promise<boolean> {
    const changed =
      ailment === 'silent'
        ? tx.sourceHealth.updateMany({
            where: { sourceId, silentSince: { not: null } },
            data: { silentSince: null },
          })
        : tx.sourceHealth.updateMany({
            where: { sourceId, failingSince: { not: null } },
            data: { failingSince: null },
          });
    return (await changed).count > 0;
  }
}
