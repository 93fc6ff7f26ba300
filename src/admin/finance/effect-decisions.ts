import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { Worker } from '../../deliveries/worker';
import { CallDecisions, type Decided } from '../../finance/remote/calls/decisions';
import type { Caller } from '../../http/caller';
import type { Organization } from '../../kernel/organization';
import { AuditRepository } from '../audit.repository';

/** What operators decide of calls that only a person can decide on, with the audit log. */
@Injectable()
export class EffectDecisions {
  constructor(
    private readonly database: Database,
    private readonly decisions: CallDecisions,
    private readonly worker: Worker,
    private readonly audit: AuditRepository,
  ) {}

  /** It took effect, and made this record. @throws Problem not-found, conflict, validation-failed */
  adopt(
    organization: Organization,
    caller: Caller,
    id: string,
    recordId: string | undefined,
    reason: string,
  ): Promise<void> {
    return this.decide(organization, caller, 'effect.adopt', reason, (tx) =>
      this.decisions.adopt(tx, organization.id, id, recordId, reason),
    );
  }

  /** It took no effect: it is sent again. @throws Problem not-found, conflict */
  repeat(organization: Organization, caller: Caller, id: string, reason: string): Promise<void> {
    return this.decide(organization, caller, 'effect.repeat', reason, (tx) =>
      this.decisions.repeat(tx, organization.id, id, reason),
    );
  }

  /** It is never sent again. @throws Problem not-found, conflict */
  abandon(organization: Organization, caller: Caller, id: string, reason: string): Promise<void> {
    return this.decide(organization, caller, 'effect.abandon', reason, (tx) =>
      this.decisions.abandon(tx, organization.id, id, reason),
    );
  }

  private async decide(
    organization: Organization,
    caller: Caller,
    action: string,
    reason: string,
    decision: (tx: Transaction) => Promise<Decided>,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { before, after } = await decision(tx);
      const change = {
        organizationId: organization.id,
        action,
        subject: before.id,
        before: { state: before.state, reason: before.reason },
        after: { state: after.state, output: { ...after.output } },
        reason,
      };
      await this.audit.record(caller, change, tx);
    });
    this.worker.wake();
  }
}
