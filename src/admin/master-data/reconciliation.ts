import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { EntriesRepository, type HeldEntry } from '../../finance/embedded/entries/entries.repository';
import type { Actor } from '../../http/caller';
import { Clock } from '../../kernel/clock';
import { Problem } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';

/** Marks what was found on the bank's statement, which then cannot be taken back; with the audit log. */
@Injectable()
export class Reconciliation {
  constructor(
    private readonly database: Database,
    private readonly entries: EntriesRepository,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Doing it again changes nothing.
   * @throws Problem not-found; conflict for an entry that touches no account or was taken back
   */
  async mark(actor: Actor, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const entry = found(await this.entries.hold(tx, actor.organization.id, id));
      if (entry.reconciliated) return;
      if (!entry.touchesAccount)
        throw new Problem('conflict', 'The entry touches no account, so no statement can show it');
      if (entry.reversed) throw new Problem('conflict', 'The entry was taken back, or takes another back');
      await this.entries.reconcile(tx, id, this.clock.now());
      await this.audit.record(tx, actor, {
        action: 'entry.reconcile',
        subject: id,
        before: { isReconciliated: false },
        after: { isReconciliated: true },
      });
    });
  }

  /** @throws Problem not-found, also for an entry that is not marked */
  async unmark(actor: Actor, id: string, reason?: string | null): Promise<void> {
    await this.database.transaction(async (tx) => {
      const entry = found(await this.entries.hold(tx, actor.organization.id, id));
      if (!entry.reconciliated)
        throw new Problem('not-found', 'The entry is not marked as found on a statement');
      await this.entries.unreconcile(tx, id);
      await this.audit.record(tx, actor, {
        action: 'entry.unreconcile',
        subject: id,
        before: { isReconciliated: true },
        after: { isReconciliated: false },
        reason,
      });
    });
  }
}

function found(entry: HeldEntry | undefined): HeldEntry {
  if (!entry) throw new Problem('not-found', 'The organization has no such entry');
  return entry;
}
