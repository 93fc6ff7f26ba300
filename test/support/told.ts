import type { Database } from '../../src/database/database';

export interface ToldChange {
  type: string;
  subject: string;
  businessKey: string | null;
  deliveryId: string | null;
  data: Record<string, unknown>;
}

/** What an organization's feed was told, by kind of change; within one, in the order of commit. */
export function toldOf({ prisma }: Database, organizationId: string): Promise<ToldChange[]> {
  return prisma.$queryRaw<ToldChange[]>`
    select c.type, c.subject, c.business_key as "businessKey", c.delivery_id::text as "deliveryId", c.data
    from feed_change c
    join (select id, organization_id from feed_waiting union all select id, organization_id from feed_batch) b
      on b.id = c.batch_id
    where b.organization_id = ${organizationId}::uuid
    order by c.type, c.batch_id, c.number`;
}
