import type { EffectOperation } from '../../finance/api/effects/registry';
import type { RefusedPlan } from '../planner';
import type { ReplayedEffect } from '../replay-plans';

/** How an effect that rules plan differs from what was done. */
export const DIFFERENCE_KINDS = ['missing', 'changed', 'unplanned', 'undecided'] as const;

/**
 * - `missing`: planned and not applied. A repair applies it.
 * - `changed`: applied with another amount or other content than it is planned with now.
 * - `unplanned`: applied for a delivery of the period, and planned for none of them now.
 * - `undecided`: planned, and what came of it is not known yet or a person gave it up.
 */
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** One effect that differs. */
export interface EffectDifference {
  kind: DifferenceKind;
  rule: string;
  step: string;
  /** Business key. */
  key: string;
  operation: EffectOperation;
  /** What is known of it; `absent`: it was never tried. */
  state: ReplayedEffect['state'];
  /** Minor units, as it is planned now, or as it was applied where it is planned no more; undefined: no amount. */
  valueMinor: bigint | undefined;
  /** Minor units that it was applied with, where that differs. */
  appliedMinor?: bigint;
  /** `YYYY-MM-DD`; undefined: it has no day. */
  date: string | undefined;
  /** What differs beside the amount, each as a phrase. */
  content: readonly string[];
  /** The delivery that plans it first, or for which it was applied. */
  deliveryId: string;
}

/** All that differs of an order, or of whatever else a delivery speaks of. */
export interface OrderDifferences {
  businessKey: string;
  effects: EffectDifference[];
  /** What the rules refuse to plan, each once. */
  refused: RefusedPlan[];
}

/** How many effects of a kind there are, and what they come to. */
export interface DifferenceTotal {
  kind: DifferenceKind;
  operation: EffectOperation;
  count: number;
  /** Minor units: what is planned, of `changed` the difference to what was applied. */
  valueMinor: bigint;
}

/** What a comparison came to. */
export interface ComparedPeriod {
  /** How many orders were compared, those without differences included. */
  ordersCompared: number;
  /** How many effects are planned, each key once. */
  effectsPlanned: number;
  /** In the order of their keys. */
  orders: OrderDifferences[];
  totals: DifferenceTotal[];
  /** How many refusals there are. */
  refusals: number;
  /** Names what is missing: the same missing effects of the same deliveries, the same text. */
  digest: string;
  /** Deliveries that have to be worked on again, so that nothing is missing; oldest first. */
  toRepair: string[];
}
