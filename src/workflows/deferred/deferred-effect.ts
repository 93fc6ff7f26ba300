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
  /** The rule that asked for it. */
  rule: { name: string; version: number };
  datesKnown: boolean;
  runId: string;
  step: string;
  deliveryId: string;
  /** That of the event. */
  businessKey: string;
  /** How often it failed. */
  attempts: number;
  /** When it was put off. */
  createdAt: Date;
}

/** What an applier is asked with. */
export function requestOf(deferred: DeferredEffect): EffectRequest {
  const { organization, effect, rule, datesKnown, runId, step, deliveryId } = deferred;
  return { organization, effect, rule, runId, step, deliveryId, ...(datesKnown && { datesKnown }) };
}

/** What a deferred effect leaves to a person. */
export function leftBy(
  { organization, deliveryId, runId, businessKey }: DeferredEffect,
  attention: LeftToPerson['attention'],
): LeftToPerson {
  return { organization, deliveryId, runId, businessKey, attention };
}
