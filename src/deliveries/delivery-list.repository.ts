import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../database/along-an-index';
import { type DeliveryState, Prisma } from '../database/client/client';
import { Database } from '../database/database';
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
      const conditions = conditionsOf(organization, filter, slugs);
      if (!conditions) return [];
      if (page.after !== undefined) conditions.push(await beyond(tx, organization, page.after));
      const ids = await newestFirst(tx, conditions, page.limit);
      const rows = await tx.delivery.findMany({ where: { id: { in: ids } }, omit: { body: true } });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.flatMap((id) => {
        const row = byId.get(id);
        return row ? [summarize(row, slugs)] : [];
      });
    });
  }
}

/**
 * A filter as conditions on `delivery`.
 * @param slugs of the organization's sources, by identifier
 * @returns undefined when nothing can fulfil them
 */
export function conditionsOf(
  { id }: Organization,
  { state, source, topic, businessKey, from, to }: DeliveryFilter,
  slugs: ReadonlyMap<string, string>,
): Prisma.Sql[] | undefined {
  const conditions: Prisma.Sql[] = [];
  if (source !== undefined) {
    const [sourceId] = [...slugs].find(([, slug]) => slug === source) ?? [];
    if (sourceId === undefined) return undefined;
    conditions.push(Prisma.sql`source_id = ${sourceId}::uuid`);
  }
  // A source is one organization's; naming it again would offer the index of the whole organization as well.
  const hasOwnIndex = businessKey !== undefined || (state !== undefined && state !== 'done');
  if (source === undefined || hasOwnIndex) conditions.push(Prisma.sql`organization_id = ${id}::uuid`);
  // Written out, so that it is seen which partial index holds it.
  if (state !== undefined) conditions.push(Prisma.sql`state = ${Prisma.raw(`'${state}'`)}`);
  if (topic !== undefined) conditions.push(Prisma.sql`topic = ${topic}`);
  if (businessKey !== undefined) conditions.push(Prisma.sql`business_key = ${businessKey}`);
  if (from !== undefined) conditions.push(Prisma.sql`received_at >= ${from}::timestamptz`);
  if (to !== undefined) conditions.push(Prisma.sql`received_at < ${to}::timestamptz`);
  return conditions;
}

async function newestFirst(
  tx: Transaction,
  conditions: readonly Prisma.Sql[],
  limit: number,
): Promise<string[]> {
  await alongAnIndex(tx);
  const rows = await tx.$queryRaw<{ id: string }[]>(pageStatement(conditions, limit));
  return rows.map(({ id }) => id);
}

/** The statement of a page. */
export function pageStatement(conditions: readonly Prisma.Sql[], limit: number): Prisma.Sql {
  return Prisma.sql`
    select id::text as id from delivery where ${Prisma.join([...conditions], ' and ')}
    order by received_at desc, id desc limit ${limit}`;
}

async function beyond(tx: Transaction, organization: Organization, after: string): Promise<Prisma.Sql> {
  const last = await tx.delivery.findFirst({
    where: { id: after, organizationId: organization.id },
    select: { receivedAt: true },
  });
  if (!last) throw new Problem('malformed-request', 'after must be the id of a delivery of the organization');
  return Prisma.sql`(received_at, id) < (${last.receivedAt}::timestamptz, ${after}::uuid)`;
}
