import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { Worker } from '../../deliveries/worker';
import { CallDecisions, type Decided } from '../../finance/remote/calls/decisions';
import type { Actor } from '../../http/caller';
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
  adopt(actor: Actor, id: string, recordId: string | undefined, reason: string): Promise<void> {
    return this.decide(actor, 'effect.adopt', reason, (tx) =>
      this.decisions.adopt(tx, actor.organization.id, id, recordId, reason),
    );
  }

  /** It took no effect: it is sent again. @throws Problem not-found, conflict */
  repeat(actor: Actor, id: string, reason: string): Promise<void> {
    return this.decide(actor, 'effect.repeat', reason, (tx) =>
      this.decisions.repeat(tx, actor.organization.id, id, reason),
    );
  }

  /** It is never sent again. @throws Problem not-found, conflict */
  abandon(actor: Actor, id: string, reason: string): Promise<void> {
    return this.decide(actor, 'effect.abandon', reason, (tx) =>
      this.decisions.abandon(tx, actor.organization.id, id, reason),
    );
  }

  private async decide(
    actor: Actor,
    action: string,
    reason: string,
    decision: (tx: Transaction) => Promise<Decided>,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { before, after } = await decision(tx);
      await this.audit.record(tx, actor, {
        action,
        subject: before.id,
        before: { state: before.state, reason: before.reason },
        after: { state: after.state, output: { ...after.output } },
        reason,
      });
    });
    this.worker.wake();
  }
}
