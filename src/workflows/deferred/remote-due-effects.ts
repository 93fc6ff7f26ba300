import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { EffectResult } from '../../finance/api/effects/effect';
import { OUTSIDE_OPERATIONS } from '../../finance/api/effects/registry';
import { RemoteEffectApplier } from '../../finance/api/effects/remote-effect-applier.port';
import { SharedClock } from '../../kernel/clock';
import { AttentionRepository } from '../attention.repository';
import { type DeferredEffect, requestOf } from './deferred-effect';
import { DeferredEffects } from './deferred-effects.repository';
import { LeasedDueEffects } from './leased-due-effects';

/**
 * Applies what is due to a remote finance service, through the calls of a delivery's steps. Those of one organization
 * come one after another, the first due first: each then finds open what those before it left.
 */
@Injectable()
export class RemoteDueEffects extends LeasedDueEffects {
  protected override readonly due = { limit: 16, except: OUTSIDE_OPERATIONS };

  constructor(
    database: Database,
    private readonly effects: RemoteEffectApplier,
    stored: DeferredEffects,
    attention: AttentionRepository,
    clock: SharedClock,
  ) {
    super(database, stored, attention, clock);
  }

  protected override apply(deferred: DeferredEffect): Promise<EffectResult> {
    const { deliveryId } = deferred;
    if (deliveryId === null) throw new Error('only messages are deferred without a delivery');
    return this.effects.apply(requestOf(deferred), deliveryId);
  }

  protected override queueOf({ organization }: DeferredEffect): string {
    return organization.id;
  }
}
