import { Problem } from '../../kernel/problem';
import type { RuleProblem } from '../../rules/document/problems';

/** More than a person reads at once. */
export const MAX_SHOWN = 100;

/**
 * A rule document that cannot be taken: `validation-failed` with a line, a column and a sentence for each problem.
 * @param pointer where in the body the document stands; empty: it is the body
 */
export function documentRefused(problems: readonly RuleProblem[], pointer = ''): Problem {
  const count = problems.length === 1 ? 'is 1 problem' : `are ${problems.length} problems`;
  return new Problem('validation-failed', `There ${count} in the rule`, {
    errors: problems.slice(0, MAX_SHOWN).map(({ line, column, message }) => ({
      pointer,
      code: 'rule',
      message,
      line,
      column,
      detail: message,
    })),
  });
}
