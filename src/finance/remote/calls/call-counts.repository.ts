import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';

/** What is counted for metrics is counted no further than this. */
const MOST_COUNTED = 10_000;

/** Calls to remote finance services, counted. */
@Injectable()
export class CallCounts {
  constructor(private readonly database: Database) {}

  /** How many calls of all organizations are not decided; {@link MOST_COUNTED}: at least so many. */
  async open(): Promise<{ intended: number; unknown: number; parked: number }> {
    const [row] = await this.database.prisma.$queryRaw<
      { intended: number; unknown: number; parked: number }[]
    >`
      select
        (select count(*)::int from (
          select from finance_call where state = 'intended' limit ${MOST_COUNTED}) i) as intended,
        (select count(*)::int from (
          select from finance_call where state = 'unknown' and parked_at is null limit ${MOST_COUNTED}) u) as unknown,
        (select count(*)::int from (
          select from finance_call where parked_at is not null and abandoned_at is null limit ${MOST_COUNTED}) p) as parked`;
    return row ?? { intended: 0, unknown: 0, parked: 0 };
  }
}
