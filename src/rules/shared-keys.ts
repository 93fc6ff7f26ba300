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
 * Sentences about what is valid and seldom meant: a key that another rule on the same event uses for the same action, rules
 * that are never tried, because one before them always applies and stops, and a key that the version in force does not have.
 * @param inForce the rules in force for the event, a version of this one among them or not
 * @param before the version in force of this rule, where it is disabled or on another event; absent: it is among the others
 */
export function warningsOf(
  rule: RuleTraits,
  inForce: readonly CompiledRule[],
  before?: RuleTraits,
): string[] {
  const told = inForce
    .map(traitsOf)
    .flatMap((other) =>
      other.name === rule.name
        ? changedKeys(rule, other)
        : [...neverTried(rule, other), ...sharedKeys(rule, other)],
    );
  return before ? [...changedKeys(rule, before), ...told] : told;
}

/** Nobody knows an order that was posted under another key for the same: told of again, it is posted again. */
function changedKeys(rule: RuleTraits, before: RuleTraits): string[] {
  return rule.keyed.flatMap(({ step, action, key }) => {
    const isIn = ({ keyed }: RuleTraits, wanted: string): boolean =>
      keyed.some((one) => one.action === action && one.key === wanted);
    const gone = before.keyed.find((one) => one.action === action && !isIn(rule, one.key));
    if (isIn(before, key) || !gone) return [];
    return [
      `step ${step}: the version in force has the key ${gone.key} for ${action}; what was posted under that is posted again under this one when its order comes again`,
    ];
  });
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
