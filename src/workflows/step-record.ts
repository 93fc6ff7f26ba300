import type { Attention } from '../finance/api/effects/attention';
import type { EffectOutput, EffectResult, PlannedEffect } from '../finance/api/effects/effect';
import { isReference } from '../finance/api/effects/reference';
import { amountOf, type Plan, type PlannedStep } from '../rules/plan';
import type { PutOff } from './deferred/put-off';

/** What a step came to, as it is stored with the run. */
export interface StepRecord {
  id: string;
  action: string;
  /**
   * `pending` also where an earlier step was refused. `skipped`: what it uses is not there, or an operator declined it.
   * `waiting`: an operator has to approve it, or a step that it uses. `deferred`: something of it is applied after the
   * delivery. Of a step for several elements, the worst.
   */
  state: EffectResult['state'] | PutOff['state'] | 'skipped' | 'waiting';
  /** The first day to which something of it is deferred. */
  until?: string;
  output: EffectOutput;
  /** Business keys of its effects. */
  effects: string[];
  reason?: string;
}

/** Why an effect is planned and not asked for. */
export type Held =
  | {
      readonly state: 'waiting';
      /** Identifier of the approval that an operator has to give. */
      readonly approval: string;
    }
  | { readonly state: 'skipped'; readonly reason: string };

const FROM_BEST_TO_WORST: readonly StepRecord['state'][] = [
  ...(['pending', 'existing', 'applied', 'deferred'] as const),
  ...(['skipped', 'waiting', 'refused'] as const),
];

/** Adds what came of one effect, or of one element. */
export function note(step: StepRecord, state: StepRecord['state'], reason?: string): void {
  if (FROM_BEST_TO_WORST.indexOf(state) > FROM_BEST_TO_WORST.indexOf(step.state)) step.state = state;
  if (reason === undefined || step.reason?.split('; ').includes(reason)) return;
  step.reason = step.reason === undefined ? reason : `${step.reason}; ${reason}`;
}

/** Adds that an effect is put off. */
export function putOffStep(step: StepRecord, { day }: PutOff): void {
  note(step, 'deferred');
  if (day !== undefined && (step.until === undefined || day < step.until)) step.until = day;
}

/** One past the last effect of the element that the effect at `index` belongs to. */
export function elementEnd({ effects, elements = [] }: PlannedStep, index: number): number {
  let end = 0;
  for (const size of elements) {
    end += size;
    if (index < end) return end;
  }
  return effects.length;
}

/** The first of some steps whose output a step uses. */
export function usedOf({ effects }: PlannedStep, ids: { has(id: string): boolean }): string | undefined {
  return referencesIn(effects).find((id) => ids.has(id));
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isReference(value)) return value.$ref.split('.').slice(0, 1);
  return Object.values(value).flatMap(referencesIn);
}

/** A step that could not be done, and that the rule goes on without. @param effect absent: it could not be planned */
export function stepRefused(
  { rule }: Pick<Plan, 'rule'>,
  step: string,
  reason: string,
  effect?: PlannedEffect,
): Attention {
  const under = effect === undefined ? '' : `, key ${effect.key}`;
  const detail = `rule ${rule}, step ${step}${under}: ${reason}`;
  return { code: 'step-refused', detail, amount: effect === undefined ? '0' : amountOf(effect) };
}

/** An effect that an operator has to approve. The approval's identifier tells another plan for the same key apart. */
export function approvalRequired(
  { rule }: Pick<Plan, 'rule'>,
  step: string,
  effect: PlannedEffect,
  approval: string,
): Attention {
  const { operation, key } = effect;
  const detail = `rule ${rule}, step ${step}: ${operation} under the key ${key} waits for the approval ${approval}`;
  return { code: 'approval-required', detail, amount: amountOf(effect) };
}
