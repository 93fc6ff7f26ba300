import { Injectable } from '@nestjs/common';
import type { DeliveryState, Prisma } from '../database/client/client';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { formatMinor, Money } from '../kernel/money';
import type { Organization } from '../kernel/organization';
import type { StoredDelivery } from './understand';

export const DELIVERY_STATES = [
  'waiting',
  'done',
  'dead',
  'discarded',
] as const satisfies readonly DeliveryState[];

/** A delivery as operators see it in a list; the body stays out. */
export interface DeliverySummary {
  id: string;
  source: string;
  topic: string;
  state: DeliveryState;
  outcome: string | null;
  reason: string | null;
  businessKey: string | null;
  events: string[];
  attempts: number;
  receivedAt: string;
  finishedAt: string | null;
}

export interface DeliveryDetail extends DeliverySummary {
  runs: {
    rule: string;
    version: number;
    event: string;
    state: string;
    steps: unknown;
    reason: string | null;
  }[];
  /** The idempotency records of every step, by business key. */
  effects: {
    key: string;
    operation: string;
    state: string;
    /** Decimal text; null where no amount is part of it. */
    value: string | null;
    output: unknown;
    reason: string | null;
  }[];
}

/** Something a person must look at although nothing failed. */
export interface AttentionItem {
  id: string;
  delivery: string;
  businessKey: string;
  code: string;
  detail: string;
  value: string;
  currency: string;
  createdAt: string;
}

export interface DeliveryFilter {
  state?: DeliveryState;
  source?: string;
  topic?: string;
  businessKey?: string;
}

/** A page of a list: newest first. */
export interface ListPage {
  /** At most this many. */
  limit: number;
  /** Identifier of the last item of the page before. */
  after?: string;
}

/** What is counted for metrics is counted no further than this. */
const MOST_COUNTED = 10_000;

/** Reading deliveries and what came of them. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  async list(organization: Organization, filter: DeliveryFilter, page: ListPage): Promise<DeliverySummary[]> {
    const { source, ...exact } = filter;
    const where: Prisma.DeliveryWhereInput = { organizationId: organization.id, ...exact };
    const slugs = await this.sourceSlugs(organization);
    if (source) where.sourceId = { in: [...slugs].filter(([, slug]) => slug === source).map(([id]) => id) };
    const before = page.after === undefined ? undefined : await this.seqOf(organization, page.after);
    if (before !== undefined) where.seq = { lt: before };
    const rows = await this.database.prisma.delivery.findMany({
      where,
      omit: { body: true },
      orderBy: { seq: 'desc' },
      take: page.limit,
    });
    return rows.map((row) => summarize(row, slugs));
  }

  /** @returns undefined when the organization has no such delivery */
  async get(organization: Organization, id: string): Promise<DeliveryDetail | undefined> {
    const row = await this.database.prisma.delivery.findFirst({
      where: { id, organizationId: organization.id },
      omit: { body: true },
    });
    if (!row) return undefined;
    const runs = await this.database.prisma.run.findMany({
      where: { deliveryId: id },
      orderBy: [{ eventIndex: 'asc' }, { rule: 'asc' }],
    });
    return {
      ...summarize(row, await this.sourceSlugs(organization)),
      runs: runs.map(({ rule, ruleVersion, eventType, state, steps, reason }) => ({
        rule,
        version: ruleVersion,
        event: eventType,
        state,
        steps,
        reason,
      })),
      effects: await this.effectsOf(
        organization,
        runs.flatMap((run) => effectKeys(run.steps)),
      ),
    };
  }

  /** A delivery with its body; undefined when the organization has no such delivery. */
  async stored(organization: Organization, id: string): Promise<StoredDelivery | undefined> {
    const row = await this.database.prisma.delivery.findFirst({
      where: { id, organizationId: organization.id },
      select: { id: true, sourceId: true, topic: true, attributes: true, body: true, receivedAt: true },
    });
    return row ? { ...row, attributes: row.attributes as Record<string, string> } : undefined;
  }

  /** Puts a dead letter back to work, now. @returns false when it is not a dead letter of the organization */
  async retry(tx: Transaction, organization: Organization, id: string, now: Date): Promise<boolean> {
    const { count } = await tx.delivery.updateMany({
      where: { id, organizationId: organization.id, state: 'dead' },
      data: { state: 'waiting', readyAt: now, attempts: 0, reason: null, finishedAt: null },
    });
    return count === 1;
  }

  /** Takes a dead letter off the list for good. @returns false when it is not a dead letter of the organization */
  async discard(tx: Transaction, organization: Organization, id: string, reason: string): Promise<boolean> {
    const { count } = await tx.delivery.updateMany({
      where: { id, organizationId: organization.id, state: 'dead' },
      data: { state: 'discarded', outcome: `discarded: ${reason}` },
    });
    return count === 1;
  }

  async openAttention(organization: Organization, page: ListPage): Promise<AttentionItem[]> {
    const rows = await this.database.prisma.attention.findMany({
      where: {
        organizationId: organization.id,
        resolvedAt: null,
        ...(page.after ? { id: { lt: page.after } } : {}),
      },
      orderBy: { id: 'desc' },
      take: page.limit,
    });
    return rows.map((row) => ({
      id: row.id,
      delivery: row.deliveryId,
      businessKey: row.businessKey,
      code: row.code,
      detail: row.detail,
      value: formatMinor(row.amountMinor, Money.exponentOf(organization.currency)),
      currency: organization.currency,
      createdAt: row.createdAt.toISOString(),
    }));
  }

  /** How long the oldest delivery that could be worked on has been waiting, in milliseconds; 0 when none is. */
  async oldestReadyMs(now: Date): Promise<number> {
    const [row] = await this.database.prisma.delivery.findMany({
      where: { state: 'waiting', readyAt: { lte: now } },
      select: { readyAt: true },
      orderBy: { readyAt: 'asc' },
      take: 1,
    });
    return row ? now.getTime() - row.readyAt.getTime() : 0;
  }

  /**
   * How old the oldest delivery is that is not worked on to an end, in milliseconds; 0 when there is none. Of
   * those put off it looks at the {@link MOST_COUNTED} whose time comes first.
   */
  async oldestWaitingMs(now: Date): Promise<number> {
    const [row] = await this.database.prisma.$queryRaw<{ at: Date | null }[]>`
      select least(
        (select received_at from delivery where state = 'waiting' and ready_at <= ${now} order by ready_at, seq limit 1),
        (select min(received_at) from (
          select received_at from delivery where state = 'waiting' and ready_at > ${now}
          order by ready_at, seq limit ${MOST_COUNTED}) put_off)
      ) as at`;
    return row?.at ? Math.max(0, now.getTime() - row.at.getTime()) : 0;
  }

  /** How many deliveries wait to be worked on, and how many for a person; {@link MOST_COUNTED}: at least so many. */
  async openCounts(): Promise<{ waiting: number; dead: number }> {
    const [row] = await this.database.prisma.$queryRaw<{ waiting: number; dead: number }[]>`
      select (select count(*)::int from (select from delivery where state = 'waiting' limit ${MOST_COUNTED}) w) as waiting,
             (select count(*)::int from (select from delivery where state = 'dead' limit ${MOST_COUNTED}) d) as dead`;
    return row ?? { waiting: 0, dead: 0 };
  }

  /** How many items of attention are open; {@link MOST_COUNTED}: at least so many. */
  async openAttentionCount(): Promise<number> {
    const [row] = await this.database.prisma.$queryRaw<{ open: number }[]>`
      select count(*)::int as open
      from (select from attention where resolved_at is null limit ${MOST_COUNTED}) a`;
    return row?.open ?? 0;
  }

  private async effectsOf(organization: Organization, keys: string[]): Promise<DeliveryDetail['effects']> {
    const rows = await this.database.prisma.effect.findMany({
      where: { organizationId: organization.id, key: { in: keys } },
      orderBy: { key: 'asc' },
    });
    const exponent = Money.exponentOf(organization.currency);
    return rows.map(({ key, operation, state, amountMinor, output, reason }) => ({
      key,
      operation,
      state,
      value: amountMinor === null ? null : formatMinor(amountMinor, exponent),
      output,
      reason,
    }));
  }

  private async seqOf(organization: Organization, id: string): Promise<bigint | undefined> {
    const row = await this.database.prisma.delivery.findFirst({
      where: { id, organizationId: organization.id },
      select: { seq: true },
    });
    return row?.seq;
  }

  private async sourceSlugs(organization: Organization): Promise<Map<string, string>> {
    const rows = await this.database.prisma.source.findMany({
      where: { organizationId: organization.id },
      select: { id: true, slug: true },
    });
    return new Map(rows.map(({ id, slug }) => [id, slug]));
  }
}

type DeliveryRow = Omit<Prisma.DeliveryGetPayload<object>, 'body'>;

/** Business keys in the stored steps (`StepRecord[]` of the workflows). */
function effectKeys(steps: unknown): string[] {
  return (steps as { effects: string[] }[]).flatMap((step) => step.effects);
}

function summarize(row: DeliveryRow, slugs: ReadonlyMap<string, string>): DeliverySummary {
  const { id, topic, state, outcome, reason, businessKey, events, attempts } = row;
  return {
    id,
    source: slugs.get(row.sourceId) ?? row.sourceId,
    topic,
    state,
    outcome,
    reason,
    businessKey,
    events,
    attempts,
    receivedAt: row.receivedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
