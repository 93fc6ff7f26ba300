import { Injectable } from '@nestjs/common';
import type { Prisma } from '../database/client/client';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import type { ListPage } from '../deliveries/deliveries.repository';
import { actorOf, type Caller } from '../http/caller';
import { newId } from '../kernel/identifier';

/** What somebody changed. */
export interface Change {
  /** Absent for what concerns no single organization. */
  organizationId?: string;
  /** What was done, for example `key.create`. */
  action: string;
  /** What it was done to: an identifier or a name. */
  subject: string;
  /** The record before and after; no secrets, no personal data. */
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
  reason?: string;
}

/** A {@link Change} as read back. */
export interface AuditRecord {
  /** UUID, ordered by time. */
  id: string;
  at: Date;
  /** Identifier of the API key that acted. */
  actor: string;
  action: string;
  subject: string;
  before: unknown;
  after: unknown;
  reason: string | null;
}

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
   * @param caller who acted; their API key stands in the log
   * @param tx the transaction of the change itself, so that there is never one without the other
   */
  async record(caller: Caller, change: Change, tx: Transaction = this.database.prisma): Promise<void> {
    await tx.auditEntry.create({ data: { id: newId(), actor: actorOf(caller), ...change } });
  }

  /** Newest first. */
  async list(organizationId: string, { limit, after }: ListPage): Promise<AuditRecord[]> {
    return this.database.prisma.auditEntry.findMany({
      where: { organizationId, ...(after !== undefined && { id: { lt: after } }) },
      select: SHAPE,
      orderBy: { id: 'desc' },
      take: limit,
    });
  }
}
