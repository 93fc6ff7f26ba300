import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../../database/along-an-index';
import { Database } from '../../database/database';
import { expectedWithinSeconds } from './condition';

const DAY_MS = 86_400_000;
/** Three weeks: of whatever day it is now, two whole weekends are among them. */
const LEARNED_FROM_MS = 21 * DAY_MS;
/** A source that was connected later has shown no weekend yet. */
const KNOWN_FOR_MS = 7 * DAY_MS;
/** Deliveries within that time, below which nothing is usual. */
const FEWEST_DELIVERIES = 20;

interface Learned {
  known: boolean;
  /** Milliseconds; null: it was never quiet for an hour twice. */
  usual: number | null;
}

/** What gaps between deliveries are usual for a source. */
@Injectable()
export class UsualGaps {
  constructor(private readonly database: Database) {}

  /**
   * The second longest gap of three weeks is usual: what happened twice may happen again, as nights and weekends do, and one
   * outage or one holiday makes nothing usual. Read hour by hour: whatever gap is longer than an hour has the end
   * of one in it, so that the busiest source costs no more than a thousand rows of an index.
   * @returns how long the source may be quiet, in seconds; null: too little is known of it
   */
  async expectedWithin(sourceId: string, now: Date): Promise<number | null> {
    const from = new Date(now.getTime() - LEARNED_FROM_MS);
    const connected = new Date(now.getTime() - KNOWN_FOR_MS);
    const [learned] = await this.database.transaction(async (tx) => {
      await alongAnIndex(tx);
      return tx.$queryRaw<Learned[]>`
        select exists (select from delivery where source_id = ${sourceId}::uuid and received_at <= ${connected}::timestamptz)
            and (select count(*) from (
              select from delivery where source_id = ${sourceId}::uuid and received_at > ${from}::timestamptz
              limit ${FEWEST_DELIVERIES}) newest) >= ${FEWEST_DELIVERIES} as known,
          (select (extract(epoch from gap) * 1000)::float8 from (
            select distinct before.at, after.at - before.at as gap
            from generate_series(${from}::timestamptz, ${now}::timestamptz, interval '1 hour') as hour(at)
            cross join lateral (
              select received_at as at from delivery
              where source_id = ${sourceId}::uuid and received_at <= hour.at
              order by received_at desc, id desc limit 1) before
            cross join lateral (
              select received_at as at from delivery
              where source_id = ${sourceId}::uuid and received_at > hour.at
              order by received_at, id limit 1) after
            where after.at - before.at > interval '1 hour') gaps
          order by gap desc offset 1 limit 1) as usual`;
    });
    return learned?.known ? expectedWithinSeconds(learned.usual ?? 0) : null;
  }
}
