import type { EffectDeclaration } from './declaration';
import { readInstant, readRequired } from './effect-input';

export interface CostCenterInput {
  /** UUID or external code. */
  costCenter: string;
  description: string;
  /** ISO 8601 in UTC: when it was so. What an event of a later instant said stays. */
  asOf: string;
}

/** Describes a cost center as the newest event has it. Undone by an event that is newer still. */
export const costCenterUpdate: EffectDeclaration<CostCenterInput> = {};

/** A description as an effect says it. @throws Problem */
export function readCostCenter({ costCenter, description, asOf }: CostCenterInput) {
  return {
    costCenter: readRequired('cost center', costCenter),
    description: readRequired('description', description),
    asOf: readInstant('instant', asOf),
  };
}
