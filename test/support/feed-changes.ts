import { FeedOrder } from '../../src/feed/feed-order.repository';
import type { Database } from '../../src/database/database';

export interface FeedChange {
  type: string;
  subject: string;
  businessKey: string | null;
  deliveryId: string | null;
  data: Record<string, unknown>;
}

/** An organization's changes, by type; within one, in the order of commit. They need no position in the feed. */
export function feedChangesOf({ prisma }: Database, organizationId: string): Promise<FeedChange[]> {
  return prisma.$queryRaw<FeedChange[]>`
    select c.type, c.subject, c.business_key as "businessKey", c.delivery_id::text as "deliveryId", c.data
    from feed_change c
    join (select id, organization_id from feed_waiting union all select id, organization_id from feed_batch) b
      on b.id = c.batch_id
    where b.organization_id = ${organizationId}::uuid
    order by c.type, c.batch_id, c.number`;
}

/** Reads feeds as a connector does: in order, each change once. */
export class UnreadChanges {
  private readonly order: FeedOrder;
  private readonly read = new Map<string, number>();

  constructor(private readonly database: Database) {
    this.order = new FeedOrder(database);
  }

  /** What was appended to an organization's feed since this was last asked. */
  async next(organizationId: string): Promise<FeedChange[]> {
    await this.order.assignPositions();
    const all = await this.database.prisma.$queryRaw<FeedChange[]>`
      select c.type, c.subject, c.business_key as "businessKey", c.delivery_id::text as "deliveryId", c.data
      from feed_change c join feed_batch b on b.id = c.batch_id
      where b.organization_id = ${organizationId}::uuid
      order by b.position, c.number`;
    const before = this.read.get(organizationId) ?? 0;
    this.read.set(organizationId, all.length);
    return all.slice(before);
  }

  /** Types and subjects alone. */
  async nextLines(organizationId: string): Promise<string[]> {
    return (await this.next(organizationId)).map(({ type, subject }) => `${type} ${subject}`);
  }
}
