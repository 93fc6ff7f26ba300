import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { Settings } from '../config/settings';
import { WAITING_FOR_RECORD } from './work-metrics';

/** What is counted for metrics is counted no further than this. */
const MOST_COUNTED = 10_000;

/** What waits, over all organizations, for metrics and health. */
@Injectable()
export class DeliveryCounts {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /**
   * How long the oldest delivery that could be worked on has been waiting, in milliseconds by the database's clock; 0
   * when none is. The state
   * stands in the statement: as a parameter, which is how Prisma sends it, it leads past the index of what waits.
   * @param tx absent: outside of any transaction
   */
  async oldestReadyMs(tx: Transaction = this.database.prisma): Promise<number> {
    const [row] = await tx.$queryRaw<{ ms: number }[]>`
      select (extract(epoch from clock_timestamp() - ready_at) * 1000)::float8 as ms
      from open_delivery where state = 'waiting' and ready_at <= now() order by ready_at, seq limit 1`;
    return Math.max(0, row?.ms ?? 0);
  }

  /**
   * How old the oldest delivery is that is not worked on to an end, in milliseconds; 0 when there is none. Of
   * those put off it reads the {@link MOST_COUNTED} whose time comes first.
   */
  async oldestWaitingMs(): Promise<number> {
    const [row] = await this.database.prisma.$queryRaw<{ ms: number | null }[]>`
      select (extract(epoch from clock_timestamp() - least(
        (select received_at from open_delivery where state = 'waiting' and ready_at <= now() order by ready_at, seq limit 1),
        (select min(received_at) from (
          select received_at from open_delivery where state = 'waiting' and ready_at > now()
          order by ready_at, seq limit ${MOST_COUNTED}) put_off)
      )) * 1000)::float8 as ms`;
    return Math.max(0, row?.ms ?? 0);
  }

  /**
   * How many deliveries wait to be worked on, how many for a person, and how many for a record; {@link MOST_COUNTED}: at
   * least so many. What has waited for a record for longer than the setting says waits for a person.
   */
  async open(): Promise<{ waiting: number; dead: number; [WAITING_FOR_RECORD]: number }> {
    const hours = this.settings.recordWaitHours;
    const [row] = await this.database.prisma.$queryRaw<{ waiting: number; dead: number; record: number }[]>`
      select (select count(*)::int from (select from open_delivery where state = 'waiting' limit ${MOST_COUNTED}) w) as waiting,
             (select count(*)::int from (select from open_delivery where state = 'dead' and not (waits_only
               and received_at > clock_timestamp() - make_interval(hours => ${hours}::int)) limit ${MOST_COUNTED}) d) as dead,
             (select count(*)::int from (select from open_delivery where waits_for is not null and state = 'dead' and waits_only
               and received_at > clock_timestamp() - make_interval(hours => ${hours}::int) limit ${MOST_COUNTED}) r) as record`;
    return { waiting: row?.waiting ?? 0, dead: row?.dead ?? 0, [WAITING_FOR_RECORD]: row?.record ?? 0 };
  }

  /** How many items of attention are open; {@link MOST_COUNTED}: at least so many. */
  async openAttention(): Promise<number> {
    const [row] = await this.database.prisma.$queryRaw<{ open: number }[]>`
      select count(*)::int as open
      from (select from attention where resolved_at is null limit ${MOST_COUNTED}) a`;
    return row?.open ?? 0;
  }
}
