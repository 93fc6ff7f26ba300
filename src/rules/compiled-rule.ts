import type { EventType } from '../events/event';
import type { Action } from './actions/action';
import type { Values } from './cel/expression';

/** A rule that was checked in every respect that can be checked without an event. Made by `loadRule`. */
export interface CompiledRule {
  readonly name: string;
  /** 1-based version of the document it was made from. */
  readonly version: number;
  /** The only event it acts on. */
  readonly event: EventType;
  readonly conditions: readonly CompiledCondition[];
  readonly lets: readonly CompiledLet[];
  readonly steps: readonly CompiledStep[];
  /** The value of `steps`: references to outputs, the same for every event. */
  readonly stepOutputs: unknown;
  /** Whether the payload has to be made readable. */
  readonly usesRaw: boolean;
  /** Estimated cost of all expressions together, see `cel/cost.ts`. */
  readonly cost: number;
}

export interface CompiledCondition {
  readonly source: string;
  /** @throws whatever goes wrong, to be explained by `explainFailure` */
  readonly test: (values: Values) => boolean;
}

export interface CompiledLet {
  readonly name: string;
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
  readonly evaluate: (values: Values) => unknown;
}

export interface CompiledStep {
  readonly id: string;
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
  readonly inputs: readonly CompiledInput[];
}
