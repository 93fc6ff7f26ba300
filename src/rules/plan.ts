import type { PlannedEffect } from '../finance/api/effects/effect';
import { isReference } from '../finance/api/effects/reference';
import { settledEffect } from '../finance/api/effects/settled-effect';
import { CalendarDate } from '../kernel/calendar-date';
import type { StepHandling } from './compiled-rule';

/**
 * What a rule would do for one event: data, complete before anything is touched. A preview shows exactly
 * this; a run executes exactly this.
 */
export interface Plan {
  rule: string;
  /** 1-based version of the rule document. */
  version: number;
  steps: PlannedStep[];
  /** Whether the event's dates are facts: none of them was inferred. Absent: not known. */
  datesKnown?: boolean;
  /**
   * The step that cannot be planned, and why: the plan counts only where the order's receivable is there already, whose
   * customer then stands for the step's output. Absent: the plan can be executed as it is.
   */
  onlyIfBooked?: { step: string; reason: string };
  /**
   * When the inputs of its effects were removed because of their age (ISO 8601): what is left says what was done, and can
   * neither be executed nor compared. Absent: it is whole.
   */
  removedAt?: string;
}

export interface PlannedStep extends StepHandling {
  /** The step's id in the rule; later steps refer to its outputs as `steps.{id}.{output}`. */
  id: string;
  /** The action's name, for example `creditSchedule.ensure`. */
  action: string;
  /** In the order they are to be applied. */
  effects: PlannedEffect[];
  /** How many of the effects each element of its list has, in order, where one may go wrong alone. Absent: all together. */
  elements?: number[];
  /** Of a step with `onRefused: continue`: why it, or elements of it, cannot be planned. Absent: all is planned. */
  unplanned?: string[];
}

/**
 * The effect, not to be applied before a day. One with a day of its own, such as a part of a settlement plan, keeps it.
 * @param day a calendar date; anything else: there is none
 */
export function putOff(effect: PlannedEffect, day: unknown): PlannedEffect {
  return day instanceof CalendarDate && effect.notBefore === undefined
    ? { ...effect, notBefore: day.toString() }
    : effect;
}

/** A plan as it is kept once its run has ended: what its effects say of people is left out. */
export function settledPlan(plan: Plan): Plan {
  const steps = plan.steps.map((step) => ({ ...step, effects: step.effects.map(settledEffect) }));
  return { ...plan, steps };
}

/** Decimal text: what an effect is about, 0 where it is about no money. */
export function amountOf(effect: PlannedEffect): string {
  return effect.amount ?? ('value' in effect.input ? (effect.input.value ?? '0') : '0');
}

/** Business keys of the receivables that a plan creates for the customer whom a step gives. */
export function receivablesOf({ steps }: Plan, stepId: string): string[] {
  return steps
    .flatMap(({ effects }) => effects)
    .filter(
      (effect) =>
        effect.operation === 'credit-schedule.create' &&
        isReference(effect.input.customer) &&
        effect.input.customer.$ref === `${stepId}.id`,
    )
    .map(({ key }) => key);
}
