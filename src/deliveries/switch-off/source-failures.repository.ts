import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import type { Organization } from '../../kernel/organization';
import { ORIGIN } from '../reserved-attributes';
import type { FailedTopic, SourceSwitchOff } from './source-switch-off';

/** Among how many of a source's newest deliveries an accepted one is searched. */
const MOST_SCANNED = 1_000;

/** Failures of one topic that are not written yet. */
export interface NewFailures {
  /** Oldest first, one at least. */
  times: readonly Date[];
  /** Why the newest failed. */
  reason: string;
  /** Until then all is over; absent: nothing is known to be. */
  acceptedAt?: Date | undefined;
  /** How many of the newest are kept. */
  most: number;
}

/** A source of which webhooks failed, or of which a person was warned. */
export interface FailingSource {
  id: string;
  slug: string;
  provider: string;
  organization: Organization;
  /** Of what a person was warned; null: of nothing. */
  warnedOf: SourceSwitchOff['state'] | null;
  failed: FailedTopic[];
}

type SourceState = SourceSwitchOff['state'] | undefined;

/** The webhooks that sources answered with failures, and the warnings that were given. */
@Injectable()
export class SourceFailuresRepository {
  constructor(private readonly database: Database) {}

  /** Adds failures to what any replica has written; none is counted that is older than what was accepted. */
  async add(
    sourceId: string,
    topic: string,
    { times, reason, acceptedAt = new Date(0), most }: NewFailures,
  ): Promise<void> {
    await this.database.prisma.$executeRaw`
      insert into source_failure as f (source_id, topic, since, failed_at, reason)
      values (${sourceId}::uuid, ${topic}, ${times[0]}::timestamptz,
              ${times.map((at) => at.toISOString())}::timestamptz[], ${reason})
      on conflict (source_id, topic) do update set
        since = least(excluded.since, (
          select min(at) from unnest(f.failed_at || f.since) at where at > ${acceptedAt}::timestamptz)),
        failed_at = array(
          select at from (
            select at from (
              select at from unnest(f.failed_at) at where at > ${acceptedAt}::timestamptz
              union all select at from unnest(excluded.failed_at) at) known
            order by at desc limit ${most}::int) newest
          order by at),
        reason = excluded.reason`;
  }

  /** Forgets what failed until then. */
  async settle(sourceId: string, topic: string, acceptedAt: Date): Promise<void> {
    await this.database.prisma.$executeRaw`
      delete from source_failure where source_id = ${sourceId}::uuid and topic = ${topic}
        and failed_at[cardinality(failed_at)] <= ${acceptedAt}::timestamptz`;
  }

  /** Forgets rows of failures of which nothing was heard since then. */
  async forget(before: Date): Promise<void> {
    await this.database.prisma.$executeRaw`
      delete from source_failure where failed_at[cardinality(failed_at)] < ${before}::timestamptz`;
  }

  /** What failed at these sources, by their identifiers; a source of which nothing did is left out. */
  async of(
    sourceIds: readonly string[],
    tx: Transaction = this.database.prisma,
  ): Promise<Map<string, FailedTopic[]>> {
    const rows = await tx.$queryRaw<(FailedTopic & { sourceId: string })[]>`
      select f.source_id::text as "sourceId", f.topic, f.since, f.failed_at as "failedAt", f.reason,
        accepted.at as "acceptedAt"
      from source_failure f
      left join lateral (
        select max(recent.received_at) as at from (
          select d.received_at, d.topic, d.attributes from delivery d
          where d.source_id = f.source_id and d.received_at > f.since
          order by d.received_at desc, d.id desc limit ${MOST_SCANNED}) recent
        where recent.attributes ->> ${ORIGIN} is null and (f.topic = '' or recent.topic = f.topic)) accepted on true
      where f.source_id = any(${sourceIds}::uuid[])
      order by f.source_id, f.topic`;
    const found = new Map<string, FailedTopic[]>();
    for (const { sourceId, ...topic } of rows) {
      const topics = found.get(sourceId);
      if (topics) topics.push(topic);
      else found.set(sourceId, [topic]);
    }
    return found;
  }

  /** Every source of which webhooks failed, or of which a person was warned. */
  async all(): Promise<FailingSource[]> {
    const sources = await this.database.prisma.$queryRaw<Omit<FailingSource, 'failed'>[]>`
      select s.id::text as id, s.slug, s.provider, w.state as "warnedOf",
        json_build_object('id', o.id, 'slug', o.slug, 'name', o.name, 'timeZone', o.time_zone,
                          'currency', o.currency) as organization
      from source s join organization o on o.id = s.organization_id
      left join source_switch_off w on w.source_id = s.id
      where w.source_id is not null or exists (select from source_failure f where f.source_id = s.id)
      order by s.id`;
    const failed = await this.of(sources.map(({ id }) => id));
    return sources.map((source) => ({ ...source, failed: failed.get(source.id) ?? [] }));
  }

  /** Notes of what a person is warned now. @returns whether this call did it; false: another replica has */
  async warn(
    tx: Transaction,
    sourceId: string,
    { before, after }: { before: SourceState; after: SourceState },
    now: Date,
  ): Promise<boolean> {
    if (before === undefined && after !== undefined) {
      const data = { sourceId, state: after, raisedAt: now };
      return (await tx.sourceSwitchOff.createMany({ data, skipDuplicates: true })).count > 0;
    }
    const where = { sourceId, state: before ?? '' };
    if (after === undefined) return (await tx.sourceSwitchOff.deleteMany({ where })).count > 0;
    const data = { state: after, raisedAt: now };
    return (await tx.sourceSwitchOff.updateMany({ where, data })).count > 0;
  }
}
