import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { EffectApplier } from '../../finance/api/effects/effects.port';
import { OUTSIDE_OPERATIONS } from '../../finance/api/effects/registry';
import { SharedClock } from '../../kernel/clock';
import { AttentionRepository } from '../attention.repository';
import { isTransient } from '../retry-policy';
import { type DeferredEffect, requestOf } from './deferred-effect';
import { DeferredEffects } from './deferred-effects.repository';
import { DueEffects } from './due-effects';

/** Effects of one transaction. */
const BATCH = 64;

/**
 * Applies what is due to Ponte's own books: an effect, its idempotency record, what it leaves to a person and its end
 * are one transaction. A batch that fails is tried effect by effect, so that one that fails keeps no other back.
 */
@Injectable()
export class EmbeddedDueEffects extends DueEffects {
  constructor(
    private readonly database: Database,
    private readonly effects: EffectApplier,
    stored: DeferredEffects,
    attention: AttentionRepository,
    clock: SharedClock,
  ) {
    super(stored, attention, clock);
  }

  /** @throws what the database throws when it is away: then the same may be asked again */
  override async applySome(signal: AbortSignal): Promise<number> {
    try {
      return await this.applyBatch(BATCH);
    } catch (error) {
      if (isTransient(error)) throw error;
    }
    let taken = 0;
    for (; taken < BATCH && !signal.aborted; taken += 1) if ((await this.applyAlone()) === 0) break;
    return taken;
  }

  private applyBatch(limit: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const due = await this.claim(tx, limit);
      if (due.length > 0) await this.applyAll(tx, due);
      return due.length;
    });
  }

  private async applyAlone(): Promise<number> {
    let claimed: DeferredEffect | undefined;
    try {
      return await this.database.transaction(async (tx) => {
        [claimed] = await this.claim(tx, 1);
        if (claimed) await this.applyAll(tx, [claimed]);
        return claimed ? 1 : 0;
      });
    } catch (error) {
      if (!claimed || isTransient(error)) throw error;
      const failed = claimed;
      this.logFailure(failed, error);
      await this.database.transaction((tx) => this.afterFailure(tx, failed));
      return 1;
    }
  }

  private claim(tx: Transaction, limit: number): Promise<DeferredEffect[]> {
    return this.stored.claim(tx, { limit, except: OUTSIDE_OPERATIONS });
  }

  private async applyAll(tx: Transaction, due: readonly DeferredEffect[]): Promise<void> {
    const batch = this.effects.begin(tx);
    const results = await batch.apply(due.map(requestOf));
    await batch.finish();
    const decided = due.map((deferred, index) => {
      const result = results[index];
      if (!result || result.state === 'pending') throw new Error('an effect was left without a result');
      return [deferred, result] as const;
    });
    await this.conclude(tx, decided);
  }
}
