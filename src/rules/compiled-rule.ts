import type { EventType } from '../events/event';
import type { Action } from './actions/action';
import type { Values } from './cel/expression';
import type { RuleSetting } from './rule-settings';

/** A rule that was checked in every respect that can be checked without an event. Made by `loadRule`. */
export interface CompiledRule {
  readonly name: string;
  /** 1-based version of the document it was made from. */
  readonly version: number;
  /** The only event it acts on. */
  readonly event: EventType;
  /** Rules with a higher one are tried first. */
  readonly priority: number;
  /** Where it applies to an event, no rule after it is tried. */
  readonly stop: boolean;
  /** What an organization can set on it without another version. */
  readonly settings: readonly RuleSetting[];
  /** The value of `settings` where amounts are in this currency. @throws RuleRefusal when an amount does not fit it */
  readonly settingsIn: (currency: string) => ReadonlyMap<string, unknown>;
  readonly conditions: readonly CompiledCondition[];
  readonly lets: readonly CompiledLet[];
  readonly steps: readonly CompiledStep[];
  /** The value of `steps`: references to outputs, the same for every event. */
  readonly stepOutputs: unknown;
  /** Whether the payload has to be made readable. */
  readonly usesRaw: boolean;
  /** Estimated cost of all expressions together, see `cel/cost.ts`. */
  readonly cost: number;
  /** What of it is for the conditions: all that is spent where they are not true. */
  readonly conditionsCost: number;
}

export interface CompiledCondition {
  readonly source: string;
  /** @throws whatever goes wrong, to be explained by `explainFailure` */
  readonly test: (values: Values) => boolean;
  /** Of single values: it is false where one of these is not met, whatever else it says. Absent: of none. */
  readonly requirements?: readonly Requirement[];
  /** Whether it reads what is set on its rule: then one that is written alike may come to something else. */
  readonly usesSettings?: boolean;
}

/** A comparison of a value with a literal or a setting, without which a condition is false: rules are found by it. */
export type Requirement = Equality | Range;

interface Compared {
  /** The value as it is written: `order.payment.gateway`. Two that are written alike are one value of an event. */
  readonly path: string;
  /** The value; undefined: the condition has to be tried. @throws RuleRefusal where trying it says why */
  readonly read: (values: Values) => unknown;
}

/** `path == "text"` */
export interface Equality extends Compared {
  readonly text: string;
}

/** `path >= 5`, `path < money("10.00")`, `path == settings.least` and their like. */
export interface Range extends Compared {
  /**
   * @param currency that of the organization
   * @param settings those of the rule in this currency
   * @returns undefined: the condition has to be tried
   * @throws MoneyError where an amount does not fit the currency
   */
  readonly within: (currency: string, settings?: ReadonlyMap<string, unknown>) => Interval | undefined;
}

/** Whole numbers, both ends included: of minor units where amounts are compared. */
export interface Interval {
  readonly least: bigint | number;
  readonly most: bigint | number;
}

export interface CompiledLet {
  readonly name: string;
  /** The expression as it is written. */
  readonly source: string;
  readonly evaluate: (values: Values) => unknown;
}

/** Computes one input; undefined when it is absent. */
export type Mapping = (values: Values) => unknown;

export interface CompiledInput {
  readonly name: string;
  readonly required: boolean;
  readonly map: Mapping;
}

/** The list whose elements a step is done for, one after another. */
export interface CompiledList {
  /** The name of the element in the step's expressions. */
  readonly name: string;
  /** The type of the elements. */
  readonly type: string;
  readonly evaluate: (values: Values) => unknown;
}

/** What becomes of a step that goes wrong, and who has to agree to it. */
export interface StepHandling {
  /** Where it finds no record: what uses its outputs is left out, or the delivery waits. Absent: it is refused. */
  readonly ifMissing?: 'skip' | 'wait';
  /** Where it is refused: the steps that do not use its outputs go on. Absent: the run stops. */
  readonly onRefused?: 'continue';
  /** An operator has to approve its effects before they are made. Absent: nobody has to. */
  readonly approval?: 'required';
}

export interface CompiledStep {
  readonly id: string;
  readonly handling: StepHandling;
  /** Absent: it is done once. */
  readonly forEach?: CompiledList;
  /** Absent: it is always done. With `forEach` it is asked of each element. */
  readonly condition?: CompiledCondition;
  /** Ids of the steps whose outputs it hands on: where one of them is not done, neither is this. */
  readonly uses: readonly string[];
  readonly action: Action;
  readonly key?: Mapping;
  /** The key as it is written in the rule; absent: it has none, or is no text. */
  readonly keyText?: string;
  /** The key of the same money, posted otherwise, as it is written in the input `unless`; absent: it has none, or is no text. */
  readonly unlessText?: string;
  readonly inputs: readonly CompiledInput[];
  /** The day before which its effects are not applied but stored. Absent: they are applied at once. */
  readonly notBefore?: Mapping;
}

/** Whether a rule may book what an event says: one that only sends messages does not. */
export function canBook({ steps }: Pick<CompiledRule, 'steps'>): boolean {
  return steps.some(({ action }) => !action.onlyTells);
}
