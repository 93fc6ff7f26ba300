import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../../database/along-an-index';
import { type DeliveryState, Prisma } from '../../database/client/client';
import { Database } from '../../database/database';
import { newestFirst } from '../../database/index-walk';
import { sourceSlugs } from '../../deliveries/deliveries.repository';
import { walksOf } from '../../deliveries/delivery-list.repository';
import type { Organization } from '../../kernel/organization';

/** Deliveries that are read of each kind: the newest, the newest and oldest that wait, the newest dead letters. */
export const MOST_READ = 100;
/** What happened so shortly before a reading may not have been committed by then. */
const LATE = '10 seconds';

/** A delivery as it is now. */
export interface LiveDelivery {
  readonly id: string;
  /** A source's slug. */
  readonly source: string;
  readonly topic: string;
  readonly state: DeliveryState;
  readonly businessKey: string | null;
  readonly receivedAt: Date;
  /** Whether it was stored, ended, or got ready to be worked on since the reading before. */
  readonly isRecent: boolean;
}

/** The deliveries of an organization that change, as one moment has them. */
export interface LiveReading {
  /** The newest received first. */
  readonly deliveries: readonly LiveDelivery[];
  /** When it was made, by the database's clock; to be handed to the next one. */
  readonly at: Date;
}

type Row = Omit<LiveDelivery, 'source'> & { readonly sourceId: string };

/** Reads those deliveries of an organization that change: along indexes, the same few hundred however many there are. */
@Injectable()
export class LiveReads {
  constructor(private readonly database: Database) {}

  /**
   * @param again deliveries that are read in any case
   * @param since when the reading before was made; undefined: there was none, and nothing is recent
   */
  read(organization: Organization, again: readonly string[], since: Date | undefined): Promise<LiveReading> {
    const { id } = organization;
    return this.database.transaction(async (tx) => {
      const slugs = await sourceSlugs(tx, organization);
      const walks = walksOf(organization, {}, slugs);
      await alongAnIndex(tx);
      const [{ at } = { at: new Date() }] = await tx.$queryRaw<
        { at: Date }[]
      >`select clock_timestamp() as at`;
      if (walks.length === 0) return { deliveries: [], at };
      const rows = await tx.$queryRaw<Row[]>`
        with wanted as (
          select w.id::uuid as id from (${newestFirst(walks, MOST_READ)}) w
          union select w.id from (${this.open(id, 'waiting', 'desc')}) w
          union select w.id from (${this.open(id, 'waiting', 'asc')}) w
          union select w.id from (${this.open(id, 'dead', 'desc')}) w
          union select w.id from unnest(${[...again]}::uuid[]) as w(id)
        )
        select d.id::text as id, d.source_id::text as "sourceId", d.topic, d.state::text as state,
          d.business_key as "businessKey", d.received_at as "receivedAt",
          coalesce(greatest(d.received_at, d.finished_at, case when d.state = 'waiting' then d.ready_at end)
            > ${since ?? null}::timestamptz - ${LATE}::interval, false) as "isRecent"
        from wanted cross join lateral (select * from delivery d where d.id = wanted.id offset 0) d
        where d.organization_id = ${id}::uuid`;
      const deliveries = rows.map(({ sourceId, ...row }) => ({
        ...row,
        source: slugs.get(sourceId) ?? sourceId,
      }));
      return { deliveries: deliveries.sort(newerFirst), at };
    });
  }

  private open(organizationId: string, state: 'waiting' | 'dead', direction: 'asc' | 'desc'): Prisma.Sql {
    const way = Prisma.raw(direction);
    return Prisma.sql`
      select id from open_delivery
      where organization_id = ${organizationId}::uuid and state = ${Prisma.raw(`'${state}'`)}
      order by organization_id ${way}, state ${way}, received_at ${way}, id ${way} limit ${MOST_READ}`;
  }
}

function newerFirst(one: LiveDelivery, other: LiveDelivery): number {
  return other.receivedAt.getTime() - one.receivedAt.getTime() || (one.id < other.id ? 1 : -1);
}
