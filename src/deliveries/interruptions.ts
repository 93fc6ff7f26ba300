import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { Clock } from '../kernel/clock';
import { BegunBatches } from './begun-batches.repository';
import { DeliveryQueue, type InterruptedDelivery } from './delivery-queue.repository';

/** Counts work that was begun and did not end, and gives up what it happened to too often. */
@Injectable()
export class Interruptions {
  private readonly logger = new Logger('worker');

  constructor(
    private readonly database: Database,
    private readonly batches: BegunBatches,
    private readonly queue: DeliveryQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts, for the deliveries that this transaction has locked, that work on them did not end. Where a process may still
   * report what came of it, they are checked again in a moment.
   * @param unended the batches in which it was begun
   * @param batchId the batch that was about to begin; it is not
   * @returns how many were counted; at least 1, for there is more to do
   */
  async count(
    tx: Transaction,
    unended: readonly string[],
    deliveryIds: readonly string[],
    batchId: string,
  ): Promise<number> {
    const found = await this.batches.take(tx, unended, deliveryIds);
    await this.batches.end(tx, batchId);
    await this.queue.retrySoon(tx, found.unsaid);
    this.log(await this.queue.interrupted(tx, found.unended, this.clock.now()));
    return Math.max(1, found.unended.length);
  }

  /** Counts that work on a delivery took longer than it may. */
  async record(deliveryId: string, error: unknown): Promise<void> {
    const [counted] = await this.database.transaction((tx) =>
      this.queue.interrupted(tx, [deliveryId], this.clock.now()),
    );
    this.log(counted ? [counted] : [], error);
  }

  private log(counted: readonly InterruptedDelivery[], error?: unknown): void {
    for (const { id, organization, source, interrupted, state, reason } of counted)
      this.logger[state === 'dead' ? 'error' : 'warn']({
        msg:
          state === 'dead'
            ? 'dead letters: a delivery became a dead letter because work on it was interrupted again and again; read its body before you retry it'
            : 'delivery worker: work on a delivery was interrupted; the delivery is tried again in a batch of its own',
        organization,
        source,
        delivery: id,
        interrupted,
        reason,
        ...(error !== undefined && { err: error }),
      });
  }
}
