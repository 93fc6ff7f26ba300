import type { CompiledRule } from './compiled-rule';
import { compareRules, type Ranked } from './rule-order';

/** What a step does under which key, as the rule has it. */
export interface KeyedStep {
  readonly step: string;
  readonly action: string;
  readonly key: string;
}

/** What is asked of a rule to know what it and others mean for each other. */
export interface RuleTraits extends Ranked {
  readonly stop: boolean;
  /** Whether it applies to some events only. */
  readonly isConditional: boolean;
  /** The steps that have a key of their own. */
  readonly keyed: readonly KeyedStep[];
}

/** As data that can be sent between threads. */
export function traitsOf({ name, priority, stop, conditions, steps }: CompiledRule): RuleTraits {
  const keyed = steps.flatMap(({ id: step, action, keyText: key }) =>
    // Any number of steps may look for one record.
    key === undefined || action.finds ? [] : [{ step, action: action.name, key }],
  );
  return { name, priority, stop, isConditional: conditions.length > 0, keyed };
}

/**
 * Sentences about what is valid and seldom meant: a key that another rule on the same event uses for the same action, and
 * rules that are never tried, because one before them always applies and stops.
 * @param others the other rules in force for the event
 */
export function warningsOf(rule: RuleTraits, others: readonly CompiledRule[]): string[] {
  return others.map(traitsOf).flatMap((other) => [...neverTried(rule, other), ...sharedKeys(rule, other)]);
}

function neverTried(rule: RuleTraits, other: RuleTraits): string[] {
  const isFirst = compareRules(rule, other) < 0;
  const [first, later] = isFirst ? [rule, other] : [other, rule];
  if (!first.stop || first.isConditional) return [];
  return [
    isFirst
      ? `rule ${later.name} is never tried: this rule comes first, has no conditions, and stops`
      : `this rule is never tried: rule ${first.name} comes first, has no conditions, and stops`,
  ];
}

/** Where both rules apply, only the first does anything: the other takes what that made for its own. */
function sharedKeys(rule: RuleTraits, other: RuleTraits): string[] {
  const first = compareRules(rule, other) < 0 ? rule : other;
  // They never both apply.
  if (first.stop) return [];
  return rule.keyed
    .filter(({ action, key }) => other.keyed.some((own) => own.action === action && own.key === key))
    .map(
      ({ step, action, key }) =>
        `step ${step}: rule ${other.name} uses the key ${key} for ${action}, too; where both apply, only one of them does anything`,
    );
}
