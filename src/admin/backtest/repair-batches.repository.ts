import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction';
import { AuditRepository } from '../audit.repository';
import type { Actor } from '../../http/caller';

/** What one transaction of a repair put back to work. */
export interface RepairBatch {
  plan: string;
  /** ISO 8601. */
  from: string;
  to: string;
  source: string | null;
  /** Identifiers. */
  deliveries: string[];
}

/** A repair as its batches tell it. */
export interface StoredRepair extends RepairBatch {
  queuedAt: Date;
}

const ACTION = 'repair.queue';

/** Which deliveries repairs have queued: the audit log says it, and is never cleared. */
@Injectable()
export class RepairBatches {
  constructor(private readonly audit: AuditRepository) {}

  /** @param tx the transaction that puts them back to work */
  add(
    tx: Transaction,
    actor: Actor,
    repair: string,
    { deliveries, ...batch }: RepairBatch,
    reason: string | null | undefined,
  ): Promise<void> {
    const after = { ...batch, deliveries: [...deliveries] };
    return this.audit.record(tx, actor, { action: ACTION, subject: repair, after, reason });
  }

  /** @returns undefined when the organization has no such repair */
  async find(tx: Transaction, organizationId: string, repair: string): Promise<StoredRepair | undefined> {
    const rows = await tx.auditEntry.findMany({
      where: { organizationId, subject: repair, action: ACTION },
      select: { at: true, after: true },
      orderBy: [{ at: 'asc' }, { id: 'asc' }],
    });
    const [first] = rows;
    if (!first) return undefined;
    const batches = rows.map(({ after }) => after as unknown as RepairBatch);
    const { plan, from, to, source } = first.after as unknown as RepairBatch;
    const deliveries = batches.flatMap((batch) => batch.deliveries);
    return { plan, from, to, source, deliveries, queuedAt: first.at };
  }
}
