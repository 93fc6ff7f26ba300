import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../database/along-an-index';
import { Prisma } from '../database/client/client';
import type { Transaction } from '../database/transaction';
import { lowestIdAt } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';
import { BodyMonth } from './body-month';
import type { ClaimedDelivery } from './delivery-queue.repository';

export interface StoredBody extends Omit<ClaimedDelivery, 'traceparent'> {
  /** When the bytes were removed; null: they are there. */
  bodyPurgedAt: Date | null;
}

/** What is old enough to lose its body. */
export interface PurgeBatch {
  organizationId: string;
  /** Received at this instant or later; absent: of what stands in no month's table. */
  from?: Date;
  /** Received before this instant. */
  before: Date;
  limit: number;
}

/** The bytes of deliveries, apart from everything else that is known of them: they are large, private and mortal. */
@Injectable()
export class DeliveryBodies {
  /** @returns undefined when the organization has no such delivery */
  async find(tx: Transaction, organization: Organization, id: string): Promise<StoredBody | undefined> {
    const row = await tx.delivery.findFirst({
      where: { id, organizationId: organization.id },
      select: {
        ...{ id: true, organizationId: true, sourceId: true, topic: true, lane: true, seq: true },
        ...{ attributes: true, receivedAt: true, attempts: true, interrupted: true, bodyPurgedAt: true },
      },
    });
    if (!row) return undefined;
    const attributes = row.attributes as Record<string, string>;
    const stored = await tx.deliveryBody.findFirst({ where: { id, organizationId: organization.id } });
    if (stored) return { ...row, attributes, body: stored.body, fetched: stored.fetched, bodyPurgedAt: null };
    // Nobody knows when, where a database was restored without its bodies.
    const bodyPurgedAt = row.bodyPurgedAt ?? (await droppedAt(tx, row.receivedAt)) ?? row.receivedAt;
    return { ...row, attributes, body: new Uint8Array(), bodyPurgedAt };
  }

  /** Days that each organization keeps bodies, by its identifier. */
  async daysKept(tx: Transaction): Promise<{ organizationId: string; days: number }[]> {
    const rows = await tx.organization.findMany({
      select: { id: true, rawBodyDays: true },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ id, rawBodyDays }) => ({ organizationId: id, days: rawBodyDays }));
  }

  /**
   * Removes single bodies of settled deliveries, oldest first, but for those that another is at. The delivery stays, and
   * with it the dedupe key: the same webhook is known again for ever.
   * @returns how many
   */
  async purge(
    tx: Transaction,
    { organizationId, from, before, limit }: PurgeBatch,
    now: Date,
  ): Promise<number> {
    await alongAnIndex(tx);
    const table = Prisma.raw(from ? 'delivery_body' : 'delivery_body_default');
    const lowest = lowestIdAt(from ?? new Date(0));
    return tx.$executeRaw`
      with old as materialized (
        select b.id from ${table} b join delivery d on d.id = b.id
        where b.organization_id = ${organizationId}::uuid
          and b.id >= ${lowest}::uuid and b.id < ${lowestIdAt(before)}::uuid
          and d.state in ('done', 'discarded')
        order by b.id limit ${limit}
        for update of d skip locked
      ), removed as (
        delete from ${table} b
        where b.organization_id = ${organizationId}::uuid and b.id = any(array(select id from old))
      )
      update delivery set body_purged_at = ${now}::timestamptz where id = any(array(select id from old))`;
  }
}

/** When the bodies of that instant's month were dropped; undefined: nobody dropped them. */
async function droppedAt(tx: Transaction, receivedAt: Date): Promise<Date | undefined> {
  const month = BodyMonth.of(receivedAt).name;
  const dropped = await tx.droppedBodyMonth.findUnique({ where: { month } });
  return dropped?.droppedAt;
}
