import type { CompiledRule } from './compiled-rule';

/** What a step does under which key, as the rule has it. */
export interface KeyedStep {
  readonly step: string;
  readonly action: string;
  readonly key: string;
}

/** The steps of a rule that have a key of their own. */
export function keyedSteps({ steps }: Pick<CompiledRule, 'steps'>): KeyedStep[] {
  return steps.flatMap(({ id: step, action, keyText: key }) =>
    key === undefined ? [] : [{ step, action: action.name, key }],
  );
}

/**
 * A sentence for each step that uses the same key for the same action as a step of another rule on the same event. Where
 * both rules apply, only the one whose name comes first does anything: the other takes what that made for its own.
 */
export function sharedKeyWarnings(
  steps: readonly KeyedStep[],
  others: readonly Pick<CompiledRule, 'name' | 'steps'>[],
): string[] {
  return steps.flatMap(({ step, action, key }) =>
    others
      .filter((rule) => keyedSteps(rule).some((own) => own.action === action && own.key === key))
      .map(
        ({ name }) =>
          `step ${step}: rule ${name} uses the key ${key} for ${action}, too; where both apply, only one of them does anything`,
      ),
  );
}
