import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import type { PlannedEffect } from '../../finance/api/effects/effect';
import { OUTSIDE_OPERATIONS } from '../../finance/api/effects/registry';
import type { Counts } from '../../kernel/metrics';
import type { Organization } from '../../kernel/organization';
import type { ListPage } from '../../kernel/list-page';
import type { DeferredState } from './deferred-effect';

/** A deferred effect as people see it, without what it was asked with. */
export interface DeferredView {
  id: string;
  /** Business key of the effect. */
  key: string;
  operation: string;
  state: DeferredState;
  /** `YYYY-MM-DD`; null: as soon as its delivery is done. */
  notBefore: string | null;
  dueAt: string;
  /** When it is tried next; null: it is not. */
  nextAt: string | null;
  /** Decimal text in the organization's currency; null: no amount is part of it. */
  value: string | null;
  currency: string;
  rule: string;
  version: number;
  step: string;
  /** Null: a subscription's message. */
  delivery: string | null;
  businessKey: string;
  attempts: number;
  reason: string | null;
  createdAt: string;
  finishedAt: string | null;
  /** When what it was asked for with was removed because of its age; null: it is there. */
  contentRemovedAt: string | null;
}

/** What may be decided of a deferred effect, locked until the transaction ends. */
export interface LockedDeferral {
  effect: PlannedEffect;
  key: string;
  operation: string;
  state: DeferredState;
  reason: string | null;
  /** Whether a worker is at it just now. */
  leased: boolean;
}

/** So many are counted, at most. */
const MOST_COUNTED = 10_000;

/** Deferred effects as operators see them. */
@Injectable()
export class DeferredList {
  constructor(private readonly database: Database) {}

  /** Those in a state, newest first. */
  async list(organization: Organization, state: DeferredState, page: ListPage): Promise<DeferredView[]> {
    const rows = await this.database.prisma.deferredEffect.findMany({
      where: {
        organizationId: organization.id,
        state,
        ...(page.after ? { id: { lt: page.after } } : {}),
      },
      orderBy: { id: 'desc' },
      take: page.limit,
    });
    return rows.map((row) => viewOf(row, organization));
  }

  /** @returns undefined when the organization has no such effect */
  async lock(tx: Transaction, organizationId: string, id: string): Promise<LockedDeferral | undefined> {
    const [row] = await tx.$queryRaw<LockedDeferral[]>`
      select effect, key, operation, state::text as state, reason,
        (lease_id is not null and ready_at > clock_timestamp()) as leased
      from deferred_effect where id = ${id}::uuid and organization_id = ${organizationId}::uuid
      for update`;
    return row;
  }

  /** Never applied any more. @param effect as it is kept from now on */
  async cancel(
    tx: Transaction,
    id: string,
    { reason, effect, now }: { reason: string; effect: PlannedEffect; now: Date },
  ): Promise<void> {
    await tx.$executeRaw`
      update deferred_effect
      set state = 'cancelled', reason = ${reason}, finished_at = ${now}, lease_id = null,
        effect = ${JSON.stringify(effect)}::jsonb
      where id = ${id}::uuid`;
  }

  /** Applied as soon as its day has come, counted as if it had never failed. */
  async retry(tx: Transaction, id: string): Promise<void> {
    await tx.$executeRaw`
      update deferred_effect set state = 'waiting', finished_at = null, lease_id = null, attempts = 0,
        ready_at = date_trunc('milliseconds', clock_timestamp())
      where id = ${id}::uuid`;
  }

  /** How many wait, and how many were refused. */
  async counts(): Promise<Counts> {
    const [row] = await this.database.prisma.$queryRaw<{ waiting: number; refused: number }[]>`
      select
        (select count(*)::int from (select 1 from deferred_effect where state = 'waiting' limit ${MOST_COUNTED}) w)
          as waiting,
        (select count(*)::int from (select 1 from deferred_effect where state = 'refused' limit ${MOST_COUNTED}) r)
          as refused`;
    return { waiting: row?.waiting ?? 0, refused: row?.refused ?? 0 };
  }

  /**
   * Milliseconds since the oldest one that waits was due; 0: none is due. Of what leaves the process the next try counts: a
   * receiver that is away is no fault of the worker's.
   */
  async overdueMs(): Promise<number> {
    const [row] = await this.database.prisma.$queryRaw<{ ms: number | null }[]>`
      select greatest(0, extract(epoch from clock_timestamp() - min(
        case when operation = any(${[...OUTSIDE_OPERATIONS]}::text[]) then ready_at else due_at end)) * 1000)::float8 as ms
      from deferred_effect where state = 'waiting' and due_at <= clock_timestamp()`;
    return row?.ms ?? 0;
  }
}

/** Those that are stored under these keys, by their days. */
export async function deferredUnder(
  tx: Transaction,
  organization: Organization,
  keys: readonly string[],
): Promise<DeferredView[]> {
  const rows = await tx.deferredEffect.findMany({
    where: { organizationId: organization.id, key: { in: [...keys] } },
    orderBy: [{ dueAt: 'asc' }, { key: 'asc' }],
  });
  return rows.map((row) => viewOf(row, organization));
}

type Row = NonNullable<Awaited<ReturnType<Transaction['deferredEffect']['findFirst']>>>;

function viewOf(row: Row, { currency }: Organization): DeferredView {
  const { amount, removedAt } = row.effect as { amount?: string; removedAt?: string };
  const { id, key, operation, state, rule, step, businessKey, attempts, reason } = row;
  return {
    ...{ id, key, operation, state, businessKey, attempts, reason, rule, step, currency },
    version: row.ruleVersion,
    notBefore: row.notBefore?.toISOString().slice(0, 10) ?? null,
    dueAt: row.dueAt.toISOString(),
    nextAt: state === 'waiting' ? row.readyAt.toISOString() : null,
    value: amount ?? null,
    delivery: row.deliveryId,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    contentRemovedAt: removedAt ?? null,
  };
}
