import { Injectable } from '@nestjs/common';
import type { DeliveryState, Prisma } from '../database/client/client';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import type { ListPage } from '../kernel/list-page';
import { formatMinor, Money } from '../kernel/money';
import type { Organization } from '../kernel/organization';
import { type DeliveryOrigin, originOf } from './reserved-attributes';
import { type DeferredView, deferredUnder } from '../workflows/deferred/deferred-list.repository';

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
  origin: DeliveryOrigin;
  topic: string;
  state: DeliveryState;
  outcome: string | null;
  reason: string | null;
  businessKey: string | null;
  events: string[];
  attempts: number;
  receivedAt: string;
  finishedAt: string | null;
  /** Business keys of the effects that a dead letter waits for. */
  waitsFor: string[];
  /** Whether a person has to act on it: it is dead, and not only because it waits. */
  needsPerson: boolean;
}

export interface DeliveryDetail extends DeliverySummary {
  /** How often its sender sent it again after it was there, and when last; null: never. */
  repeats: number;
  lastRepeatAt: string | null;
  runs: {
    rule: string;
    version: number;
    event: string;
    state: string;
    steps: unknown;
    reason: string | null;
    /** When what its effects were asked for with was removed because of its age; null: it is there. */
    planRemovedAt: string | null;
  }[];
  /** The idempotency records of every step, by business key. */
  effects: {
    key: string;
    operation: string;
    state: string;
    /** Decimal text; null where no amount is part of it. */
    value: string | null;
    currency: string | null;
    output: unknown;
    reason: string | null;
  }[];
  /** What of its effects is applied later, or was. */
  deferred: DeferredView[];
}

/** Something that needs a person although nothing failed. */
export interface AttentionItem {
  id: string;
  /** Null: it is about a source, and no delivery of it. */
  delivery: string | null;
  businessKey: string;
  code: string;
  detail: string;
  value: string;
  currency: string;
  createdAt: string;
}

/** Reading deliveries and what came of them. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  /** @returns undefined when the organization has no such delivery */
  async get(tx: Transaction, organization: Organization, id: string): Promise<DeliveryDetail | undefined> {
    const row = await tx.delivery.findFirst({
      where: { id, organizationId: organization.id },
    });
    if (!row) return undefined;
    const runs = await tx.run.findMany({
      where: { deliveryId: id },
      orderBy: [{ eventIndex: 'asc' }, { rule: 'asc' }],
    });
    const keys = runs.flatMap((run) => effectKeys(run.steps));
    const repeat = await tx.deliveryRepeat.findUnique({ where: { deliveryId: id } });
    return {
      ...summarize(row, await sourceSlugs(tx, organization)),
      repeats: repeat?.count ?? 0,
      lastRepeatAt: repeat?.lastAt.toISOString() ?? null,
      runs: runs.map(({ rule, ruleVersion, eventType, state, plan, steps, reason }) => ({
        rule,
        version: ruleVersion,
        event: eventType,
        state,
        steps,
        reason,
        planRemovedAt: (plan as { removedAt?: string }).removedAt ?? null,
      })),
      effects: await effectsOf(tx, organization, keys),
      deferred: await deferredUnder(tx, organization, keys),
    };
  }

  /** What nobody has resolved, newest first. */
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
    return rows.map((row) => {
      const currency = row.currency ?? organization.currency;
      return {
        id: row.id,
        delivery: row.deliveryId,
        businessKey: row.businessKey,
        code: row.code,
        detail: row.detail,
        value: formatMinor(row.amountMinor, Money.exponentOf(currency)),
        currency,
        createdAt: row.createdAt.toISOString(),
      };
    });
  }
}

async function effectsOf(
  tx: Transaction,
  organization: Organization,
  keys: string[],
): Promise<DeliveryDetail['effects']> {
  const rows = await tx.effect.findMany({
    where: { organizationId: organization.id, key: { in: keys } },
    orderBy: { key: 'asc' },
  });
  const exponent = Money.exponentOf(organization.currency);
  return rows.map(({ key, operation, state, amountMinor, output, reason }) => ({
    key,
    operation,
    state,
    value: amountMinor === null ? null : formatMinor(amountMinor, exponent),
    currency: amountMinor === null ? null : organization.currency,
    output,
    reason,
  }));
}

/** The organization's sources: slugs by identifier. */
export async function sourceSlugs(
  tx: Transaction,
  organization: Organization,
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.source.findMany({
    where: { organizationId: organization.id },
    select: { id: true, slug: true },
  });
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}

type DeliveryRow = Prisma.DeliveryGetPayload<object>;

/** Business keys in the stored steps (`StepRecord[]` of the workflows). */
function effectKeys(steps: unknown): string[] {
  return (steps as { effects: string[] }[]).flatMap((step) => step.effects);
}

/** A row as operators see it in a list. @param slugs of sources, by identifier */
export function summarize(row: DeliveryRow, slugs: ReadonlyMap<string, string>): DeliverySummary {
  const { id, topic, state, outcome, reason, businessKey, events, attempts } = row;
  return {
    id,
    source: slugs.get(row.sourceId) ?? row.sourceId,
    origin: originOf(row.attributes),
    topic,
    state,
    outcome,
    reason,
    businessKey,
    events,
    attempts,
    receivedAt: row.receivedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    waitsFor: row.waitsFor,
    needsPerson: state === 'dead' && !row.waitsOnly,
  };
}
