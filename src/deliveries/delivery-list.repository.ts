import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../database/along-an-index';
import { type DeliveryState, Prisma } from '../database/client/client';
import { Database } from '../database/database';
import { type IndexWalk, newestFirst, type Place } from '../database/index-walk';
import type { Transaction } from '../database/transaction';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import { type DeliverySummary, type ListPage, sourceSlugs, summarize } from './deliveries.repository';

/** Which deliveries of an organization are meant; all of what is given holds. */
export interface DeliveryFilter {
  state?: DeliveryState;
  /** A source's slug. */
  source?: string;
  topic?: string;
  businessKey?: string;
  /** Received at this instant or later. */
  from?: Date;
  /** Received before this instant. */
  to?: Date;
}

/**
 * Deliveries by what they have in common. Whatever is asked is one walk of one index from its end, as far as a page
 * is long: every index that a filter stands on goes on with the time of receipt and the identifier.
 */
@Injectable()
export class DeliveryList {
  constructor(private readonly database: Database) {}

  /**
   * Newest first.
   * @throws Problem malformed-request when the page is to follow a delivery that the organization does not have
   */
  async list(organization: Organization, filter: DeliveryFilter, page: ListPage): Promise<DeliverySummary[]> {
    return this.database.transaction(async (tx) => {
      const slugs = await sourceSlugs(tx, organization);
      const walk = walkOf(organization, filter, slugs);
      if (!walk) return [];
      const after = page.after === undefined ? undefined : await placeOf(tx, organization, page.after);
      await alongAnIndex(tx);
      const found = await tx.$queryRaw<{ id: string }[]>(newestFirst(walk, page.limit, after));
      const ids = found.map(({ id }) => id);
      const rows = await tx.delivery.findMany({ where: { id: { in: ids } } });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.flatMap((id) => {
        const row = byId.get(id);
        return row ? [summarize(row, slugs)] : [];
      });
    });
  }
}

/**
 * A filter as a walk over `delivery`. Of several, the one that leaves least leads; the others are looked at on the way.
 * @param slugs of the organization's sources, by identifier
 * @returns undefined when nothing can fulfil it
 */
export function walkOf(
  organization: Organization,
  filter: DeliveryFilter,
  slugs: ReadonlyMap<string, string>,
): IndexWalk | undefined {
  const { state, source, topic, businessKey, from, to } = filter;
  const [sourceId] = [...slugs].find(([, slug]) => slug === source) ?? [];
  if (source !== undefined && sourceId === undefined) return undefined;
  const ofOrganization = Prisma.sql`t.organization_id = ${organization.id}::uuid`;
  const row = Prisma.raw(businessKey === undefined ? 't' : 'd');
  const inState = Prisma.raw(`'${state}'::delivery_state`);
  const bySource = sourceId === undefined ? [] : [Prisma.sql`${row}.source_id = ${sourceId}::uuid`];
  const byTopic = topic === undefined ? [] : [Prisma.sql`${row}.topic = ${topic}`];
  const byState = state === undefined ? [] : [Prisma.sql`${row}.state = ${inState}`];
  const walk = { table: 'delivery', time: 'received_at', from, to } as const;
  if (businessKey !== undefined) {
    const lead = { column: 'business_key', value: Prisma.sql`${businessKey}` };
    // Few deliveries speak of one entity: each is looked at, also for whether it still does.
    const wanted = [Prisma.sql`d.business_key = ${businessKey}`, ...bySource, ...byTopic, ...byState];
    const still = Prisma.sql`exists (
      select from delivery d where d.id = t.id and d.received_at = t.received_at and ${Prisma.join(wanted, ' and ')})`;
    return { ...walk, table: 'entity_delivery', held: [ofOrganization, still], lead };
  }
  if (state !== undefined && state !== 'done') {
    const held = [ofOrganization, ...bySource, ...byTopic];
    return { ...walk, table: 'open_delivery', held, lead: { column: 'state', value: inState } };
  }
  // A source is one organization's; naming that too would offer the index of the whole organization.
  if (sourceId !== undefined) return { ...walk, held: [...bySource, ...byTopic, ...byState] };
  if (topic === undefined) return { ...walk, held: [ofOrganization, ...byState] };
  const lead = { column: 'topic', value: Prisma.sql`${topic}` };
  return { ...walk, held: [ofOrganization, ...byState], lead };
}

async function placeOf(tx: Transaction, organization: Organization, id: string): Promise<Place> {
  const last = await tx.delivery.findFirst({
    where: { id, organizationId: organization.id },
    select: { receivedAt: true },
  });
  if (!last) throw new Problem('malformed-request', 'after must be the id of a delivery of the organization');
  return { at: last.receivedAt, id };
}
