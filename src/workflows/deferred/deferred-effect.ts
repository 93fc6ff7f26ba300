import type { EffectRequest, PlannedEffect } from '../../finance/api/effects/effect';
import type { Organization } from '../../kernel/organization';
import type { LeftToPerson } from '../attention.repository';

export const DEFERRED_STATES = ['waiting', 'applied', 'refused', 'cancelled'] as const;

/**
 * `waiting` until it is applied; `refused` on its day, for a person to try again or to give up; `cancelled`: a person gave
 * it up.
 */
export type DeferredState = (typeof DEFERRED_STATES)[number];

/** An effect on its way to being stored, or as it was stored. */
export interface DeferredEffect {
  /** UUID */
  id: string;
  organization: Organization;
  effect: PlannedEffect;
  /** The rule that asked for it; of a subscription's message: the name of the subscription. */
  rule: { name: string; version: number };
  /** For whoever asks for its key again before its day. */
  datesKnown: boolean;
  /** The run that asked for it, or the subscription. */
  runId: string;
  step: string;
  /** Null: it is a subscription's message, which no delivery asked for. */
  deliveryId: string | null;
  /** That of the event, or of the subscription. */
  businessKey: string;
  /** How often it failed. */
  attempts: number;
  /** When it was put off. */
  createdAt: Date;
}

/**
 * What an applier is asked with. Its day is not compared with that of what stands under its key already: the acquirer paid earlier than
 * it announced, and what was announced says nothing any more.
 */
export function requestOf(deferred: DeferredEffect): EffectRequest {
  const { organization, effect, rule, runId, step, deliveryId } = deferred;
  return {
    ...{ organization, effect, rule, runId, step },
    ...(deliveryId !== null && { deliveryId }),
  };
}

/**
 * What a deferred effect leaves to a person. Subscriptions tell of what is left: of one whose messages fail once, or two of
 * them would tell each other for ever.
 */
export function leftBy(
  { organization, deliveryId, runId, businessKey }: DeferredEffect,
  attention: LeftToPerson['attention'],
): LeftToPerson {
  return deliveryId === null
    ? { organization, deliveryId, runId: null, businessKey, attention, isOnceOpen: true }
    : { organization, deliveryId, runId, businessKey, attention };
}
