import type { Database } from '../../database/database';
import { isAway } from '../../database/unavailable';
import type { EffectResult } from '../../finance/api/effects/effect';
import type { SharedClock } from '../../kernel/clock';
import { grouped } from '../../kernel/grouped';
import { newId } from '../../kernel/identifier';
import type { AttentionRepository } from '../attention.repository';
import type { DeferredEffect } from './deferred-effect';
import type { DeferredEffects, DueQuery } from './deferred-effects.repository';
import { DueEffects } from './due-effects';

/** Milliseconds for which one effect is left to whoever is at it; longer than one call takes. */
const LEASE_MS = 120_000;

/**
 * Applies what is due outside of any transaction: each effect is leased, asked for, and its end is written under the
 * lease. That it happens once does not depend on the lease, which spares double work.
 */
export abstract class LeasedDueEffects extends DueEffects {
  constructor(
    protected readonly database: Database,
    stored: DeferredEffects,
    attention: AttentionRepository,
    clock: SharedClock,
  ) {
    super(stored, attention, clock);
  }

  /** Which effects it applies, and how many at once. */
  protected abstract readonly due: DueQuery;

  /** @throws what the database throws: then the same may be asked again */
  protected abstract apply(deferred: DeferredEffect): Promise<EffectResult>;

  /** Whether each try counts, and not only one that fails inside Ponte. */
  protected readonly countsAttempts: boolean = false;

  /** What must be applied one after another: effects with the same text. */
  protected abstract queueOf(deferred: DeferredEffect): string;

  override async applySome(signal: AbortSignal): Promise<number> {
    const leaseId = newId();
    const leased = await this.database.transaction(async (tx) => {
      const claimed = await this.stored.claim(tx, this.due);
      await this.stored.lease(
        tx,
        claimed.map(({ id }) => id),
        leaseId,
        LEASE_MS,
      );
      return claimed;
    });
    const queues = grouped(leased, (deferred) => this.queueOf(deferred));
    await Promise.all([...queues.values()].map((queue) => this.applyQueue(queue, leaseId, signal)));
    return leased.length;
  }

  private async applyQueue(
    queue: readonly DeferredEffect[],
    leaseId: string,
    signal: AbortSignal,
  ): Promise<void> {
    for (const deferred of queue) {
      if (signal.aborted) await this.giveBack(deferred, leaseId);
      else if (await this.renew(deferred, leaseId)) await this.applyOne(deferred, leaseId);
    }
  }

  private renew({ id }: DeferredEffect, leaseId: string): Promise<boolean> {
    return this.database.transaction((tx) => this.stored.renew(tx, id, leaseId, LEASE_MS));
  }

  private giveBack({ id }: DeferredEffect, leaseId: string): Promise<void> {
    return this.whileLeased(id, leaseId, (tx) =>
      this.stored.tryLater(tx, id, 0, { reason: null, failed: false }),
    );
  }

  private async applyOne(deferred: DeferredEffect, leaseId: string): Promise<void> {
    try {
      const result = await this.apply(deferred);
      await this.settle(deferred, leaseId, result);
    } catch (error) {
      if (isAway(error)) throw error;
      this.logFailure(deferred, error);
      await this.whileLeased(deferred.id, leaseId, (tx) => this.afterFailure(tx, deferred));
    }
  }

  private settle(deferred: DeferredEffect, leaseId: string, result: EffectResult): Promise<void> {
    const { id } = deferred;
    return this.whileLeased(id, leaseId, async (tx) => {
      if (result.state !== 'pending') return this.conclude(tx, [[deferred, result]]);
      // Said by the clock of this process, and meant as a while from now.
      const delayMs = Math.max(0, result.until.getTime() - this.clock.now().getTime());
      return this.stored.tryLater(tx, id, delayMs, { reason: result.reason, failed: this.countsAttempts });
    });
  }

  private async whileLeased(
    id: string,
    leaseId: string,
    write: (tx: Parameters<DeferredEffects['lockLeased']>[0]) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (await this.stored.lockLeased(tx, id, leaseId)) await write(tx);
      else
        this.logger.warn({
          msg: 'deferred effects: a lease was lost; this worker writes nothing, whoever has the effect now goes on',
          deferredEffect: id,
        });
    });
  }
}
