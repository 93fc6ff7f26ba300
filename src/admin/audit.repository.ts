import { Injectable } from '@nestjs/common';
import type { Prisma } from '../database/client/client';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { newId } from '../kernel/identifier';

/** What somebody changed. */
export interface Change {
  /** Absent for what concerns no single organization. */
  organizationId?: string;
  /** Identifier of the API key that acted. */
  actor: string;
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

  /** In the transaction of the change itself: there is never one without the other. */
  async record(tx: Transaction, change: Change): Promise<void> {
    await tx.auditEntry.create({ data: { id: newId(), ...change } });
  }

  /** Newest first. @param after only entries older than the one with this id */
  async list(organizationId: string, limit: number, after?: string): Promise<AuditRecord[]> {
    return this.database.prisma.auditEntry.findMany({
      where: { organizationId, ...(after !== undefined && { id: { lt: after } }) },
      select: SHAPE,
      orderBy: { id: 'desc' },
      take: limit,
    });
  }
}
