import { FeedOrder } from '../../src/feed/feed-order.repository';
import type { Database } from '../../src/database/database';
import type { ToldChange } from './told';

/** What feeds announce, bit by bit, in the order in which connectors read it. */
export class FeedNews {
  private readonly order: FeedOrder;
  private readonly read = new Map<string, number>();

  constructor(private readonly database: Database) {
    this.order = new FeedOrder(database);
  }

  /** What the feed of an organization announced since this was last asked. */
  async news(organizationId: string): Promise<ToldChange[]> {
    await this.order.assignPositions();
    const all = await this.database.prisma.$queryRaw<ToldChange[]>`
      select c.type, c.subject, c.business_key as "businessKey", c.delivery_id::text as "deliveryId", c.data
      from feed_change c join feed_batch b on b.id = c.batch_id
      where b.organization_id = ${organizationId}::uuid
      order by b.position, c.number`;
    const before = this.read.get(organizationId) ?? 0;
    this.read.set(organizationId, all.length);
    return all.slice(before);
  }

  /** Types and subjects alone. */
  async headlines(organizationId: string): Promise<string[]> {
    return (await this.news(organizationId)).map(({ type, subject }) => `${type} ${subject}`);
  }
}
