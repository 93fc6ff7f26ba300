import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../database/along-an-index';
import { Prisma } from '../database/client/client';
import { Database } from '../database/database';
import { type IndexWalk, newestFirst, type Place } from '../database/index-walk';
import type { Transaction } from '../database/transaction';
import type { ListPage } from '../kernel/list-page';
import { actorOf, type Caller } from '../http/caller';
import { newId } from '../kernel/identifier';
import { Problem } from '../kernel/problem';
import type { AuditView } from './audit.dto';

/** What somebody changed. */
export interface Change {
  /** Absent: the caller's, where there is one. */
  organizationId?: string;
  /** What was done, for example `key.create`. */
  action: string;
  /** What it was done to: an identifier or a name. */
  subject: string;
  /** The record before and after; no secrets, no personal data. */
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
  /** Why, where somebody said so. */
  reason?: string | null;
}

/** Which records are meant; all of what is given holds. */
export interface AuditFilter {
  action?: string;
  subject?: string;
  /** Identifier of an API key. */
  actor?: string;
  /** At this instant or later. */
  from?: Date;
  /** Before this instant. */
  to?: Date;
}

/** The configuration folder, which changes an organization at the start as an operator would. */
export const CONFIGURATION_FOLDER: Caller = { keyId: 'configuration', isOperator: true };

const SHAPE = {
  id: true,
  at: true,
  actor: true,
  action: true,
  subject: true,
  before: true,
  after: true,
  reason: true,
} as const;

/** The log of who changed what, when and why. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param tx the transaction of the change itself, so that there is never one without the other
   * @param caller who acted; their API key stands in the log
   */
  async record(tx: Transaction, caller: Caller, change: Change): Promise<void> {
    await this.recordAll(tx, caller, [change]);
  }

  /** As {@link record}, many at once. */
  async recordAll(tx: Transaction, caller: Caller, changes: readonly Change[]): Promise<void> {
    const about = { actor: actorOf(caller), organizationId: caller.organization?.id };
    const data = changes.map((change) => ({
      ...{ id: newId(), ...about, ...change },
      reason: change.reason || null,
    }));
    await tx.auditEntry.createMany({ data });
  }

  /**
   * Newest first. Whatever is asked, it is one walk of one index, as far as the page is long.
   * @throws Problem malformed-request when the page is to follow a record that the organization does not have
   */
  async list(organizationId: string, filter: AuditFilter, page: ListPage): Promise<AuditView[]> {
    return this.database.transaction(async (tx) => {
      const after = page.after === undefined ? undefined : await placeOf(tx, organizationId, page.after);
      await alongAnIndex(tx);
      const statement = newestFirst([walkOf(organizationId, filter)], page.limit, after);
      const found = await tx.$queryRaw<{ id: string }[]>(statement);
      const ids = found.map(({ id }) => id);
      const rows = await tx.auditEntry.findMany({ where: { id: { in: ids } }, select: SHAPE });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    });
  }
}

/** A filter as a walk over `audit_entry`. Of several, the one that leaves least leads. */
export function walkOf(organizationId: string, { subject, actor, action, from, to }: AuditFilter): IndexWalk {
  const [lead, ...others] = Object.entries({ subject, actor, action }).flatMap(([column, value]) =>
    value === undefined ? [] : [{ column, value: Prisma.sql`${value}` }],
  );
  const fixed = [
    Prisma.sql`organization_id = ${organizationId}::uuid`,
    ...others.map(({ column, value }) => Prisma.sql`${Prisma.raw(column)} = ${value}`),
  ];
  return { table: 'audit_entry', fixed, time: 'at', from, to, ...(lead && { lead }) };
}

async function placeOf(tx: Transaction, organizationId: string, id: string): Promise<Place> {
  const last = await tx.auditEntry.findFirst({ where: { id, organizationId }, select: { at: true } });
  if (!last) throw new Problem('malformed-request', 'after must be the id of an item');
  return { at: last.at, id };
}
