import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../database/along-an-index';
import { type DeliveryState, Prisma } from '../database/client/client';
import type { Place } from '../database/index-walk';
import type { Transaction } from '../database/transaction';
import type { Organization } from '../kernel/organization';

/** Deliveries of an organization by when they were received. */
export interface DeliveryPeriod {
  /** Received at this instant or later. */
  from: Date;
  /** Received before this instant. */
  to: Date;
  /** Identifier of a source; absent: all sources. */
  sourceId?: string;
}

/** A delivery of a period, without its body. */
export interface PeriodDelivery {
  id: string;
  sourceId: string;
  topic: string;
  attributes: Record<string, string>;
  receivedAt: Date;
  state: DeliveryState;
  businessKey: string | null;
  reason: string | null;
  /** Bytes of its body and of what was fetched about it; null: they are gone. */
  size: number | null;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Reads the deliveries of a period in the order of their receipt, page by page along an index. */
@Injectable()
export class DeliveryPeriods {
  /** @param after where the page before ended; absent: from the beginning */
  async page(
    tx: Transaction,
    organization: Organization,
    { from, to, sourceId }: DeliveryPeriod,
    { limit, after = { at: from, id: NO_ID } }: { limit: number; after?: Place | undefined },
  ): Promise<PeriodDelivery[]> {
    await alongAnIndex(tx);
    // One walk of each source: no index is over all of them.
    const sources =
      sourceId === undefined
        ? Prisma.sql`select id from source where organization_id = ${organization.id}::uuid`
        : Prisma.sql`select ${sourceId}::uuid as id`;
    return tx.$queryRaw<PeriodDelivery[]>`
      select d.id::text as id, d.source_id::text as "sourceId", d.topic, d.attributes, d.received_at as "receivedAt",
        d.state::text as state, d.business_key as "businessKey", d.reason,
        (select octet_length(b.body) + coalesce(octet_length(b.fetched), 0) from delivery_body b
          where b.organization_id = d.organization_id and b.id = d.id) as size
      from (
        select f.* from (${sources}) s cross join lateral (
          select * from delivery d
          where d.source_id = s.id and (d.received_at, d.id) > (${after.at}::timestamptz, ${after.id}::uuid)
            and (d.received_at, d.id) < (${to}::timestamptz, ${NO_ID}::uuid)
          order by d.received_at, d.id limit ${limit}
        ) f
        order by f.received_at, f.id limit ${limit}
      ) d
      order by d.received_at, d.id`;
  }

  /** @returns by delivery; a body that is gone is left out */
  async bodies(
    tx: Transaction,
    organization: Organization,
    ids: readonly string[],
  ): Promise<Map<string, { body: Uint8Array; fetched: Uint8Array | null }>> {
    if (ids.length === 0) return new Map();
    const rows = await tx.$queryRaw<{ id: string; body: Uint8Array; fetched: Uint8Array | null }[]>`
      select b.id::text as id, b.body, b.fetched from delivery_body b
      where b.organization_id = ${organization.id}::uuid and b.id = any(${ids}::uuid[])`;
    return new Map(rows.map(({ id, ...stored }) => [id, stored]));
  }

  /** How many of the deliveries are in each state. */
  async states(
    tx: Transaction,
    organization: Organization,
    ids: readonly string[],
  ): Promise<ReadonlyMap<DeliveryState, number>> {
    const rows = await tx.$queryRaw<{ state: DeliveryState; count: number }[]>`
      select state::text as state, count(*)::int as count from delivery
      where id = any(${ids}::uuid[]) and organization_id = ${organization.id}::uuid group by state`;
    return new Map(rows.map(({ state, count }) => [state, count]));
  }
}
