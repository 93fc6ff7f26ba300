import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Actor } from '../../http/caller';
import { Clock } from '../../kernel/clock';
import { Problem } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';

/** What operators do with items that a person must look at, with the audit log. */
@Injectable()
export class AttentionItems {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Marks an item as dealt with, for good: the same of the same order is not raised again.
   * @param id a UUID
   * @throws Problem not-found when the organization has no such item, or it is resolved
   */
  async resolve(actor: Actor, id: string, reason: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [item] = await tx.attention.updateManyAndReturn({
        where: { id, organizationId: actor.organization.id, resolvedAt: null },
        data: { resolvedAt: this.clock.now() },
        select: { businessKey: true, code: true },
      });
      if (!item) throw new Problem('not-found', 'There is no such item that is open');
      const states = { before: { ...item, state: 'open' }, after: { ...item, state: 'resolved' } };
      await this.audit.record(tx, actor, { action: 'attention.resolve', subject: id, reason, ...states });
    });
  }
}
