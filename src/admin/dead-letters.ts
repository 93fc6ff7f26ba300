import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { DeliveriesRepository } from '../deliveries/deliveries.repository';
import { Worker } from '../deliveries/worker';
import type { Caller } from '../http/caller';
import { Clock } from '../kernel/clock';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import { AuditRepository } from './audit.repository';

/** What operators do with dead letters, with the audit log. */
@Injectable()
export class DeadLetters {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly worker: Worker,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Works on a dead letter again; what was applied before stays as it is.
   * @throws Problem not-found when the organization has no such dead letter
   */
  async retry(organization: Organization, caller: Caller, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (!(await this.deliveries.retry(tx, organization, id, this.clock.now()))) throw noSuchDeadLetter();
      const change = { organizationId: organization.id, action: 'dead-letter.retry', subject: id };
      await this.audit.record(caller, change, tx);
    });
    this.worker.wake();
  }

  /** Takes a dead letter off the list for good. @throws Problem not-found */
  async discard(organization: Organization, caller: Caller, id: string, reason: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (!(await this.deliveries.discard(tx, organization, id, reason))) throw noSuchDeadLetter();
      const change = { organizationId: organization.id, action: 'dead-letter.discard', subject: id, reason };
      await this.audit.record(caller, change, tx);
    });
  }
}

function noSuchDeadLetter(): Problem {
  return new Problem('not-found', 'There is no such dead letter');
}
