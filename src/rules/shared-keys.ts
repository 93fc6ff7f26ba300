import type { OperationId } from '../finance/api/operations/operations';
import type { CompiledRule, CompiledStep } from './compiled-rule';
import { compareRules, type Ranked } from './rule-order';

/** What a step does under which key, as the rule has it. */
export interface KeyedStep {
  readonly step: string;
  readonly action: string;
  readonly key: string;
  /** The key with what its names stand for. */
  readonly meaning: string;
  /** Whether it posts money. */
  readonly isPosting: boolean;
  /** Key of the same money, posted otherwise: where one stands under it, this one posts nothing. */
  readonly unless?: string;
}

/** What actions that post money ask of a finance service. */
const POSTING: ReadonlySet<OperationId> = new Set<OperationId>([
  ...(['schedules.createCredit', 'receipts.registerForSchedule', 'receipts.register'] as const),
  ...(['payments.register', 'accounts.transfer'] as const),
]);
/** Of a key with all that its names stand for, so much is compared. */
const MOST_COMPARED = 4_000;

/** What is asked of a rule to know what it and others mean for each other. */
export interface RuleTraits extends Ranked {
  readonly stop: boolean;
  /** Whether it applies to some events only. */
  readonly isConditional: boolean;
  /** The steps that have a key of their own. */
  readonly keyed: readonly KeyedStep[];
}

/** As data that can be sent between threads. */
export function traitsOf({ name, priority, stop, conditions, lets, steps }: CompiledRule): RuleTraits {
  const meanings = new Map<string, string>();
  for (const { name: own, source } of lets) meanings.set(own, `(${withMeanings(source, meanings)})`);
  const keyed = steps.flatMap(
    ({ id: step, action, keyText: key, unlessText: unless, forEach }): KeyedStep[] => {
      // Any number of steps may look for one record.
      if (key === undefined || action.finds) return [];
      return [
        {
          ...{ step, action: action.name, key, meaning: withMeanings(key, namesOf(meanings, forEach)) },
          isPosting: action.asks.some((operation) => POSTING.has(operation)),
          ...(unless !== undefined && { unless }),
        },
      ];
    },
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
  const warnings = inForce
    .map(traitsOf)
    .flatMap((other) =>
      other.name === rule.name
        ? changedKeys(rule, other)
        : [...neverTried(rule, other), ...sharedKeys(rule, other)],
    );
  return before ? [...changedKeys(rule, before), ...warnings] : warnings;
}

/** The names of a step. Of an element its type is known: which elements are taken changes none of their keys. */
function namesOf(
  lets: ReadonlyMap<string, string>,
  forEach: CompiledStep['forEach'],
): ReadonlyMap<string, string> {
  return forEach ? new Map([...lets, [forEach.name, `(each ${forEach.type})`]]) : lets;
}

/** A text with what its names stand for in their place. */
function withMeanings(text: string, meanings: ReadonlyMap<string, string>): string {
  return text
    .replace(/(?<![\w.])[A-Za-z_]\w*/g, (name) => meanings.get(name) ?? name)
    .slice(0, MOST_COMPARED);
}

/** Nobody knows an order that was posted under another key, or by another action: told of again, it is posted again. */
function changedKeys(rule: RuleTraits, before: RuleTraits): string[] {
  const isIn = ({ keyed }: RuleTraits, wanted: KeyedStep): boolean =>
    keyed.some(({ action, meaning }) => action === wanted.action && meaning === wanted.meaning);
  const gone = before.keyed.filter((one) => !isIn(rule, one));
  return rule.keyed
    .filter((own) => !isIn(before, own))
    .flatMap((own) => {
      const { step, action, key } = own;
      const same = gone.find((one) => one.action === action);
      if (same)
        return [
          `step ${step}: the version in force has the key ${same.key === key ? same.meaning : same.key} for ${action}; what was posted under that is posted again under this one when its order comes again`,
        ];
      const other = gone.find((one) => takesPlaceOf(own, one));
      if (!other) return [];
      return [
        `step ${step}: the version in force posts by ${other.action} under the key ${other.key}; what was posted so is posted again by ${action} when its order comes again`,
      ];
    });
}

/** Whether a step posts, by another action, what one of the version before posted: it is called as that was, or makes the same kind of record. */
function takesPlaceOf(own: KeyedStep, before: KeyedStep): boolean {
  if (!own.isPosting || !before.isPosting) return false;
  const [kind, kindBefore] = [own, before].map(({ action }) => action.split('.')[0]);
  return kind === kindBefore ? own.unless !== before.key : own.step === before.step;
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
    .filter(({ action, meaning }) =>
      other.keyed.some((own) => own.action === action && own.meaning === meaning),
    )
    .map(
      ({ step, action, key }) =>
        `step ${step}: rule ${other.name} uses the key ${key} for ${action}, too; where both apply, only one of them does anything`,
    );
}
