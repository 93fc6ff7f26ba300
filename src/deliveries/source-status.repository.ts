import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';

/** Counting ends here, so that a backlog does not make looking at it slow. */
export const MOST_COUNTED = 1_000;

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
}

const NOTHING: SourceStatus = {
  lastReceivedAt: null,
  lastRefusedAt: null,
  lastRefusal: null,
  waiting: 0,
  dead: 0,
};

/** How sources are doing, from two indexes of the deliveries made for it. */
@Injectable()
export class SourceStatuses {
  constructor(private readonly database: Database) {}

  /** By the source's identifier. @param tx absent: outside of any transaction */
  async of(
    sourceIds: readonly string[],
    tx: Transaction = this.database.prisma,
  ): Promise<(sourceId: string) => SourceStatus> {
    const rows = await tx.$queryRaw<(SourceStatus & { id: string })[]>`
      select s.id::text as id, newest.received_at as "lastReceivedAt",
             source.refused_at as "lastRefusedAt", source.refused_reason as "lastRefusal", waiting.count as waiting, dead.count as dead
      from unnest(${sourceIds}::uuid[]) as s(id)
      left join source on source.id = s.id
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
      ) dead`;
    const byId = new Map(rows.map(({ id, ...status }) => [id, status]));
    return (sourceId) => byId.get(sourceId) ?? NOTHING;
  }
}
