import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import type { EffectResult } from '../../finance/api/effects/effect';
import { OutsideEffects } from '../../finance/api/effects/outside-effects.port';
import { OUTSIDE_OPERATIONS } from '../../finance/api/effects/registry';
import { SharedClock } from '../../kernel/clock';
import { AttentionRepository } from '../attention.repository';
import { type DeferredEffect, requestOf } from './deferred-effect';
import { DeferredEffects } from './deferred-effects.repository';
import type { Decided } from './due-effects';
import { LeasedDueEffects } from './leased-due-effects';

/** Applies effects that leave the process. A receiver that is slow keeps none of the others back. */
@Injectable()
export class OutsideDueEffects extends LeasedDueEffects {
  protected override readonly due = { limit: 16, only: OUTSIDE_OPERATIONS };
  protected override readonly countsAttempts = true;

  constructor(
    database: Database,
    private readonly effects: OutsideEffects,
    stored: DeferredEffects,
    attention: AttentionRepository,
    clock: SharedClock,
  ) {
    super(database, stored, attention, clock);
  }

  protected override apply(deferred: DeferredEffect): Promise<EffectResult> {
    const { attempts, createdAt } = deferred;
    return this.effects.apply(requestOf(deferred), { attempts, askedAt: createdAt });
  }

  protected override queueOf({ id }: DeferredEffect): string {
    return id;
  }

  /** No backend keeps the idempotency record of what leaves the process: it is written with its end. */
  protected override async conclude(
    tx: Transaction,
    decided: readonly (readonly [DeferredEffect, Decided])[],
  ): Promise<void> {
    for (const [deferred, result] of decided) {
      const reason = result.state === 'refused' ? result.reason : null;
      await this.stored.recordOutside(tx, deferred, reason, this.clock.now());
    }
    await super.conclude(tx, decided);
  }
}
