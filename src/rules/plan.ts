import type { PlannedEffect } from '../finance/api/effects/effect';
import { isReference } from '../finance/api/effects/reference';
import { settledEffect } from '../finance/api/effects/settled-effect';
import { CalendarDate } from '../kernel/calendar-date';
import { Money, MoneyError } from '../kernel/money';
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
  /** When what the event says was so (ISO 8601), of a plan with an effect that has a day. Absent: the event does not say. */
  saidAt?: string;
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
  /** Codes of attention that it takes off the list of what the event is about. Absent: none. */
  resolves?: string[];
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

/** What an effect is about, in minor units; undefined where that is no amount, or none that can be kept. */
export function minorOf(effect: PlannedEffect, currency: string): bigint | undefined {
  const text = effect.amount ?? ('value' in effect.input ? effect.input.value : undefined);
  if (text === undefined) return undefined;
  try {
    return Money.parse(text, currency).minor;
  } catch (error) {
    if (error instanceof MoneyError) return undefined;
    throw error;
  }
}

/** The key under which the money of an effect may be posted otherwise; undefined: it is posted in one way alone. */
export function otherKeyOf({ input }: Pick<PlannedEffect, 'input'>): string | undefined {
  return 'unless' in input ? input.unless : undefined;
}

/** Business keys of the effects of plans, and those under which their money may be posted otherwise; each once. */
export function keysOfPlans(plans: readonly Pick<Plan, 'steps'>[]): string[] {
  return keysOfEffects(plans.flatMap(({ steps }) => steps.flatMap((step) => step.effects)));
}

/** The same of effects. */
export function keysOfEffects(effects: readonly PlannedEffect[]): string[] {
  return [...new Set(effects.flatMap((effect) => [effect.key, otherKeyOf(effect) ?? []].flat()))];
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
