import type { PlannedEffect } from '../finance/api/effects/effect';
import { isReference } from '../finance/api/effects/reference';

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
}

export interface PlannedStep {
  /** The step's id in the rule; later steps refer to its outputs as `steps.{id}.{output}`. */
  id: string;
  /** The action's name, for example `creditSchedule.ensure`. */
  action: string;
  /** In the order they are to be applied. */
  effects: PlannedEffect[];
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
