import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { Catalog } from '../../deliveries/catalog';
import { DeliveryRequeue } from '../../deliveries/delivery-requeue.repository';
import { EventsOfDeliveries } from '../../deliveries/stored-events';
import { Worker } from '../../deliveries/worker';
import { standingOf } from '../../deliveries/delivery-snapshot';
import type { Actor } from '../../http/caller';
import { ReplayPlans } from '../../workflows/replay-plans';
import { AuditRepository } from '../audit.repository';
import type { ReplayBody, ReplayView } from './deliveries.dto';

/**
 * Works on a delivery again. What was applied is found by its key and stays; what is missing is applied. The plan
 * comes first, and is all there is unless an operator says that it is to be carried out.
 */
@Injectable()
export class Replays {
  constructor(
    private readonly database: Database,
    private readonly catalog: Catalog,
    private readonly events: EventsOfDeliveries,
    private readonly plans: ReplayPlans,
    private readonly returns: DeliveryRequeue,
    private readonly worker: Worker,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * @returns how things stood before anything was done. A delivery that waits already is worked on anyway: it is left
   *   as it is
   * @throws Problem not-found; body-purged
   */
  async replay(actor: Actor, id: string, { dryRun = true, reason }: ReplayBody): Promise<ReplayView> {
    const answer = await this.database.transaction(async (tx): Promise<ReplayView> => {
      // Another replica may have changed rules or sources.
      await this.catalog.refresh(tx);
      const { normalized } = await this.events.read(actor.organization, id, tx);
      const plan = await this.plans.of(tx, id, normalized.work);
      if (normalized.unreadable !== undefined)
        plan.refused.push({ rule: null, step: null, reason: normalized.unreadable });
      if (dryRun) return { dryRun, ...plan, queued: false };
      const [standing] = await this.returns.putBack(tx, actor.organization, [id], SETTLED);
      if (standing) {
        const after = { state: 'waiting', missing: plan.missing.length };
        const states = { before: standingOf(standing), after };
        await this.audit.record(tx, actor, { action: 'delivery.replay', subject: id, reason, ...states });
      }
      // Else it waits already, or has lost its body just now.
      else await this.events.read(actor.organization, id, tx);
      return { dryRun, ...plan, queued: true };
    });
    if (answer.queued) this.worker.wake();
    return answer;
  }
}

const SETTLED = ['done', 'dead', 'discarded'] as const;
