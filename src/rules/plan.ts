import type { PlannedEffect } from '../finance/effects/effect';

/**
 * What a rule would do for one event: data, complete before anything is touched. A preview shows exactly
 * this; a run executes exactly this.
 */
export interface Plan {
  rule: string;
  /** 1-based version of the rule document. */
  version: number;
  steps: PlannedStep[];
}

export interface PlannedStep {
  /** The step's id in the rule; later steps refer to its outputs as `steps.{id}.{output}`. */
  id: string;
  /** The action's name, for example `creditSchedule.ensure`. */
  action: string;
  /** In the order they are to be applied. */
  effects: PlannedEffect[];
}
