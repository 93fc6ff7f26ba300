import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../../database/along-an-index';
import { Database } from '../../database/database';
import { APPLIED, NOT_CHANGED } from '../../deliveries/completion';
import type { Organization } from '../../kernel/organization';
import type { DaySpan } from './day-hours';
import type { OpenCountsView, ReceivedView } from './overview.dto';

/** Deliveries, entries and calls of one day that are read at most. */
export const MOST_OF_DAY = 100_000;
/** What is open is counted no further than this. */
export const MOST_COUNTED = 10_000;

/** Deliveries of a span of time, by what they are now. */
export type Received = Omit<ReceivedView, 'complete'>;

/** Those of one hour. */
export interface HourReceived extends Received {
  /** Of the hours of the day, from 0. */
  readonly index: number;
}

/** How many are open; more than {@link MOST_COUNTED}: there may be more. */
export type OpenCounts = Omit<OpenCountsView, 'complete'>;

/** What was read of a day; not `complete`: there was more than {@link MOST_OF_DAY}. */
export interface OfDay<T> {
  readonly rows: readonly T[];
  readonly complete: boolean;
}

/** Reads what an overview is made of, along indexes, of one day each. */
@Injectable()
export class OverviewReads {
  constructor(private readonly database: Database) {}

  /** The deliveries that were accepted on the day, by hour; hours without any are left out. */
  async received({ id }: Organization, { from, to, hours }: DaySpan): Promise<OfDay<HourReceived>> {
    if (hours.length === 0) return { rows: [], complete: true };
    const starts = hours.map((hour) => hour.from.toISOString());
    const rows = await this.database.transaction(async (tx) => {
      await alongAnIndex(tx);
      // One walk of each source: no index is over all of them.
      return tx.$queryRaw<HourReceived[]>`
        select d.index, count(*)::int as accepted, (count(*) filter (where d.state = 'waiting'))::int as waiting,
          (count(*) filter (where d.state = 'done' and d.was_applied))::int as applied,
          (count(*) filter (where d.state = 'done' and d.was_applied is not true))::int as ignored,
          (count(*) filter (where d.state = 'dead' and not d.waits_only))::int as dead,
          (count(*) filter (where d.state = 'dead' and d.waits_only))::int as "waitingForRecord",
          (count(*) filter (where d.state = 'discarded'))::int as discarded
        from (
          select o.state, o.waits_only, width_bucket(o.received_at, ${starts}::timestamptz[]) - 1 as index,
            starts_with(o.outcome, ${APPLIED}) or starts_with(o.outcome, ${NOT_CHANGED}) as was_applied
          from source s cross join lateral (
            select d.state, d.outcome, d.waits_only, d.received_at from delivery d
            where d.source_id = s.id and d.received_at >= ${from}::timestamptz and d.received_at < ${to}::timestamptz
            order by d.received_at desc, d.id desc limit ${MOST_OF_DAY + 1}
          ) o
          where s.organization_id = ${id}::uuid limit ${MOST_OF_DAY + 1}
        ) d
        group by d.index order by d.index`;
    });
    return { rows, complete: rows.reduce((sum, { accepted }) => sum + accepted, 0) <= MOST_OF_DAY };
  }

  /**
   * How old the oldest delivery is that waits to be worked on, in seconds by the database's clock (null: none waits), and
   * what is open. States stand in the statement: as parameters they lead past the indexes of what is open.
   */
  async open({ id }: Organization): Promise<{ lagSeconds: number | null; counts: OpenCounts }> {
    const limit = MOST_COUNTED + 1;
    const [row] = await this.database.prisma.$queryRaw<(OpenCounts & { lagSeconds: number | null })[]>`
      select
        (select greatest(floor(extract(epoch from clock_timestamp() - received_at)), 0)::int from open_delivery
          where organization_id = ${id}::uuid and state = 'waiting'
          order by organization_id, state, received_at, id limit 1) as "lagSeconds",
        (select count(*)::int from (select from open_delivery
          where organization_id = ${id}::uuid and state = 'dead' and not waits_only limit ${limit}) c) as "deadLetters",
        (select count(*)::int from (select from finance_call
          where organization_id = ${id}::uuid and state = 'unknown' and abandoned_at is null limit ${limit}) c) as "unknownEffects",
        (select count(*)::int from (select from attention
          where organization_id = ${id}::uuid and resolved_at is null limit ${limit}) c) as attention,
        (select count(*)::int from (select from approval
          where organization_id = ${id}::uuid and state = 'waiting' limit ${limit}) c) as approvals,
        (select count(*)::int from (select from deferred_effect
          where organization_id = ${id}::uuid and state = 'waiting' limit ${limit}) c) as deferred`;
    if (!row) throw new Error('the database counted nothing');
    const { lagSeconds, ...counts } = row;
    return { lagSeconds, counts };
  }
}
