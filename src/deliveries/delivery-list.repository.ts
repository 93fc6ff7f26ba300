import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../database/along-an-index';
import { type DeliveryState, Prisma } from '../database/client/client';
import { Database } from '../database/database';
import { type IndexWalk, newestFirst, type Place } from '../database/index-walk';
import type { Transaction } from '../database/transaction';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import type { ListPage } from '../kernel/list-page';
import { type DeliverySummary, sourceSlugs, summarize } from './deliveries.repository';

/** Which deliveries of an organization are meant; each that is given must match. */
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
  /** Of dead letters: whether a person has to act, or false: it only waits for a record. */
  needsPerson?: boolean;
}

/**
 * Deliveries by what they have in common. Whatever is asked is a walk of one index from its end, as far as a page is
 * long: every index that a filter stands on goes on with the time of receipt and the identifier.
 */
@Injectable()
export class DeliveryList {
  constructor(private readonly database: Database) {}

  /**
   * Newest first.
   * @throws Problem malformed-request when the organization has no such source, or not the delivery that the page is to
   *   follow
   */
  async list(organization: Organization, filter: DeliveryFilter, page: ListPage): Promise<DeliverySummary[]> {
    return this.database.transaction(async (tx) => {
      const slugs = await sourceSlugs(tx, organization);
      // A name that is written wrongly must not look as if nothing had come.
      if (filter.source !== undefined && ![...slugs.values()].includes(filter.source))
        throw new Problem('malformed-request', 'source names no source of the organization');
      const walks = walksOf(organization, filter, slugs);
      if (walks.length === 0) return [];
      const after = page.after === undefined ? undefined : await placeOf(tx, organization, page.after);
      await alongAnIndex(tx);
      const found = await tx.$queryRaw<{ id: string }[]>(newestFirst(walks, page.limit, after));
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
 * A filter as walks over `delivery` and the tables that follow it. Of several conditions, the one that leaves least leads;
 * the others are read on the way. There is one walk, unless whatever source is meant: then one of each source.
 * @param slugs of the organization's sources, by identifier
 * @returns none when nothing can fulfil it
 */
export function walksOf(
  organization: Organization,
  filter: DeliveryFilter,
  slugs: ReadonlyMap<string, string>,
): IndexWalk[] {
  const { source, topic, businessKey, from, to, needsPerson } = filter;
  if (needsPerson !== undefined && (filter.state ?? 'dead') !== 'dead') return [];
  const state = needsPerson === undefined ? filter.state : 'dead';
  const [sourceId] = [...slugs].find(([, slug]) => slug === source) ?? [];
  if (source !== undefined && sourceId === undefined) return [];
  const ofOrganization = Prisma.sql`t.organization_id = ${organization.id}::uuid`;
  const row = Prisma.raw(businessKey === undefined ? 't' : 'd');
  const inState = Prisma.raw(`'${state}'::delivery_state`);
  const bySource = sourceId === undefined ? [] : [ofSource(row, sourceId)];
  const byTopic = topic === undefined ? [] : [Prisma.sql`${row}.topic = ${topic}`];
  const byState = state === undefined ? [] : [Prisma.sql`${row}.state = ${inState}`];
  const byNeed = needsPerson === undefined ? [] : [Prisma.sql`${row}.waits_only = ${!needsPerson}`];
  const walk = { table: 'delivery', time: 'received_at', from, to } as const;
  if (businessKey !== undefined) {
    const lead = { column: 'business_key', value: Prisma.sql`${businessKey}` };
    // Few deliveries speak of one entity: each is looked up, also for whether it still does. Its identifier alone finds
    // it, and the rest is a value: as conditions, also within `exists`, they lead planners through all deliveries instead.
    const wanted = [
      Prisma.sql`d.business_key = ${businessKey}`,
      ...[...bySource, ...byTopic, ...byState, ...byNeed],
    ];
    const still = Prisma.sql`(select ${Prisma.join(wanted, ' and ')} from delivery d where d.id = t.id)`;
    return [{ ...walk, table: 'entity_delivery', fixed: [ofOrganization, still], lead }];
  }
  if (state !== undefined && state !== 'done') {
    const fixed = [ofOrganization, ...bySource, ...byTopic, ...byNeed];
    return [{ ...walk, table: 'open_delivery', fixed, lead: { column: 'state', value: inState } }];
  }
  // A source is one organization's. No index is over all sources: each delivery would be written into it once more.
  const sources = sourceId === undefined ? [...slugs.keys()] : [sourceId];
  const byLead = topic !== undefined && { lead: { column: 'topic', value: Prisma.sql`${topic}` } };
  return sources.map((id) => ({ ...walk, fixed: [ofSource(row, id), ...byState], ...byLead }));
}

function ofSource(row: Prisma.Sql, id: string): Prisma.Sql {
  return Prisma.sql`${row}.source_id = ${id}::uuid`;
}

async function placeOf(tx: Transaction, organization: Organization, id: string): Promise<Place> {
  const last = await tx.delivery.findFirst({
    where: { id, organizationId: organization.id },
    select: { receivedAt: true },
  });
  if (!last) throw new Problem('malformed-request', 'after must be the id of a delivery of the organization');
  return { at: last.receivedAt, id };
}
