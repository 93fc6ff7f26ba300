import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../database/along-an-index';
import type { Transaction } from '../database/transaction';
import type { Organization } from '../kernel/organization';
import type { ClaimedDelivery } from './delivery-queue.repository';

/** A delivery with its bytes. */
export interface StoredBody extends Omit<ClaimedDelivery, 'traceparent'> {
  /** When the bytes were removed; null: they are there. */
  bodyPurgedAt: Date | null;
}

/** What is old enough to lose its body. */
export interface PurgeBatch {
  organizationId: string;
  /** Received before this instant. */
  before: Date;
  /** At most this many. */
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
        ...{ attributes: true, body: true, receivedAt: true, attempts: true, bodyPurgedAt: true },
      },
    });
    return row ? { ...row, attributes: row.attributes as Record<string, string> } : undefined;
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
   * Empties the bodies of settled deliveries, oldest first, but for those that another is at. The row stays, and with
   * it the dedupe key: the same webhook is known again for ever.
   * @returns how many
   */
  async purge(tx: Transaction, { organizationId, before, limit }: PurgeBatch, now: Date): Promise<number> {
    await alongAnIndex(tx);
    return tx.$executeRaw`
      with old as materialized (
        select id from delivery
        where organization_id = ${organizationId}::uuid and body_purged_at is null and state in ('done', 'discarded')
          and received_at < ${before}::timestamptz
        order by received_at limit ${limit}
        for update skip locked
      )
      update delivery d set body = ''::bytea, body_purged_at = ${now}::timestamptz from old where d.id = old.id`;
  }
}
