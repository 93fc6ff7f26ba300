import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { DeliveryRequeue } from '../../deliveries/delivery-requeue.repository';
import { Worker } from '../../deliveries/worker';
import { standingOf } from '../../deliveries/delivery-snapshot';
import type { Actor } from '../../http/caller';
import { newId } from '../../kernel/identifier';
import { AuditRepository } from '../audit.repository';
import { type RepairBatch, RepairBatches } from './repair-batches.repository';

/** Deliveries put back in one transaction: so few that nobody waits for its locks. */
const BATCH = 100;

/** A repair, as its audit records name it. */
export type RepairAbout = Omit<RepairBatch, 'deliveries'>;

/** What is put back to work, and why. */
export interface RepairOrder {
  readonly about: RepairAbout;
  /** Identifiers of deliveries. */
  readonly deliveries: readonly string[];
  /** Only deliveries in these states are put back. */
  readonly states: readonly ('done' | 'dead')[];
  readonly reason: string | null | undefined;
}

/** Puts deliveries back to work together, under an identifier that their progress is asked for by. */
@Injectable()
export class RepairQueue {
  constructor(
    private readonly database: Database,
    private readonly requeue: DeliveryRequeue,
    private readonly batches: RepairBatches,
    private readonly worker: Worker,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * In batches that each commit with their audit records: an end in between leaves the rest as it was, and the next plan
   * has it. Of two repairs at once the second finds a delivery waiting, and leaves it.
   * @returns how many were put back to work; repair null: none
   */
  async put(
    actor: Actor,
    { about, deliveries, states, reason }: RepairOrder,
  ): Promise<{ queued: number; repair: string | null }> {
    const repair = newId();
    let queued = 0;
    for (let start = 0; start < deliveries.length; start += BATCH) {
      const ids = deliveries.slice(start, start + BATCH);
      queued += await this.database.transaction(async (tx) => {
        const standings = await this.requeue.putBack(tx, actor.organization, ids, states);
        if (standings.length === 0) return 0;
        const changes = standings.map((standing) => ({
          ...{ action: 'delivery.repair', subject: standing.id, reason },
          ...{ before: standingOf(standing), after: { state: 'waiting', repair } },
        }));
        await this.audit.recordAll(tx, actor, changes);
        const batch = { ...about, deliveries: standings.map(({ id }) => id) };
        await this.batches.add(tx, actor, repair, batch, reason);
        return standings.length;
      });
      this.worker.wake();
    }
    return { queued, repair: queued > 0 ? repair : null };
  }
}
