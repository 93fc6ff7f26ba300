import { Logger } from '@nestjs/common';
import type { Transaction } from '../../database/transaction';
import type { EffectResult } from '../../finance/api/effects/effect';
import type { SharedClock } from '../../kernel/clock';
import { isOutside } from '../../finance/api/effects/registry';
import { settledEffect } from '../../finance/api/effects/settled-effect';
import type { AttentionRepository, LeftToPerson } from '../attention.repository';
import { settleApprovals } from '../settled-approvals.repository';
import { backoffMs, MAX_ATTEMPTS } from '../retry-policy';
import { type DeferredEffect, leftBy } from './deferred-effect';
import type { DeferredConclusion, DeferredEffects } from './deferred-effects.repository';

/** An effect that is not pending any more. */
export type Decided = Exclude<EffectResult, { state: 'pending' }>;

/** Applies deferred effects of some kinds that are due. */
export abstract class DueEffects {
  protected readonly logger = new Logger(this.constructor.name);

  constructor(
    protected readonly stored: DeferredEffects,
    protected readonly attention: AttentionRepository,
    protected readonly clock: SharedClock,
  ) {}

  /**
   * Applies some of what is due.
   * @param signal nothing is begun any more when it comes
   * @returns how many were taken; 0: nothing is due
   */
  abstract applySome(signal: AbortSignal): Promise<number>;

  /** Writes what became of effects that the transaction has locked, and what they leave to a person. */
  protected async conclude(
    tx: Transaction,
    decided: readonly (readonly [DeferredEffect, Decided])[],
  ): Promise<void> {
    const now = this.clock.now();
    await this.stored.conclude(
      tx,
      decided.map(([deferred, result]) => conclusionOf(deferred, result)),
      now,
    );
    const applied = decided.filter(([, { state }]) => state !== 'refused');
    await settleApprovals(
      tx,
      applied.map(([{ organization, effect }]) => ({ organizationId: organization.id, key: effect.key })),
    );
    await this.attention.record(tx, decided.flatMap(leftByDecided), now);
  }

  /** Says in the log that applying an effect failed inside Ponte. */
  protected logFailure({ id, organization }: DeferredEffect, error: unknown): void {
    this.logger.error({
      msg: 'deferred effects: one could not be applied; it is tried again later, and given to a person in the end',
      organizationId: organization.id,
      deferredEffect: id,
      err: error,
    });
  }

  /** Puts an effect off that failed inside Ponte; after too many tries a person has it. The transaction has locked it. */
  protected afterFailure(tx: Transaction, deferred: DeferredEffect): Promise<void> {
    const attempts = deferred.attempts + 1;
    const reason = 'applying it fails inside Ponte; the log has it under its id';
    if (attempts >= MAX_ATTEMPTS)
      return this.conclude(tx, [[deferred, { state: 'refused', code: 'failed', reason }]]);
    const delayMs = backoffMs(attempts, Math.random());
    return this.stored.tryLater(tx, deferred.id, delayMs, { reason, failed: true });
  }
}

function conclusionOf({ id, effect }: DeferredEffect, result: Decided): DeferredConclusion {
  return result.state === 'refused'
    ? { id, state: 'refused', reason: result.reason, effect }
    : { id, state: 'applied', reason: null, effect: settledEffect(effect) };
}

function leftByDecided([deferred, result]: readonly [DeferredEffect, Decided]): LeftToPerson[] {
  if (result.state !== 'refused') return result.attention.map((item) => leftBy(deferred, item));
  const { key, notBefore, amount = '0', operation } = deferred.effect;
  const isMessage = isOutside(operation);
  const code = isMessage ? 'notification-failed' : 'deferred-refused';
  const day = notBefore === undefined ? '' : ` on ${notBefore}`;
  const what = isMessage ? 'sent' : 'booked';
  const detail = `${key} could not be ${what}${day}: ${result.reason}. Try it again or give it up under deferred-effects`;
  return [leftBy(deferred, { code, detail, amount })];
}
