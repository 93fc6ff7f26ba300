import type { Organization } from '../../../kernel/organization';
import type { Attention } from './attention';
import type { EffectInputs, EffectOperation } from './registry';

/**
 * One change to make in the finance system, or a record to find, as data.
 */
export type PlannedEffect = {
  [O in EffectOperation]: {
    /**
     * Business key, unique in the organization for ever: the same key is the same effect. Of an effect that finds, the
     * key of the one that made what it finds.
     */
    key: string;
    operation: O;
    input: EffectInputs[O];
    /** Decimal text: what this effect amounts to. A later event with the same key and another amount needs a person. */
    amount?: string;
    /**
     * `YYYY-MM-DD`, a day in the organization's zone: before it the effect is not applied but stored, and the run goes
     * on. Only for steps whose outputs no other step uses. Absent: there is no such day.
     */
    notBefore?: string;
    /**
     * ISO 8601, of an effect that waits for its day: when what asks for it was so, as far as the event says. What is asked for of a
     * later instant decides on the day. Absent: it is not said.
     */
    saidAt?: string;
    /** Its day is worked out and not told: it says nothing against one that was told, which takes its place while it waits. Absent: no. */
    dayInferred?: true;
    /** Of an effect that is settled: members of the input that were about a person and are not kept. Absent: all is there. */
    leftOut?: string[];
  };
}[EffectOperation];

/** A planned effect whose references are filled in, on its way to an applier. */
export interface EffectRequest {
  organization: Organization;
  effect: PlannedEffect;
  /** The run that asks, for the trail from record to delivery. */
  runId: string;
  /** The step's id in the rule. */
  step: string;
  /** The delivery that the run is about; absent where there is none. */
  deliveryId?: string;
  /**
   * Of `customer.ensure`: keys of the receivables that the customer will owe. Where one of them exists, whoever owes it
   * is the customer: one order has one customer, whatever its later events say of them.
   */
  bookedAs?: readonly string[];
  /** The rule that asks; absent where none does. */
  rule?: { name: string; version: number };
  /** Whether the dates are facts; absent or false: some may be inferred. */
  datesKnown?: boolean;
  /** When what the event says was so (ISO 8601); absent: it does not say. */
  saidAt?: string;
  /** Why nothing can be made: the effect is refused with this sentence unless one of {@link bookedAs} exists. */
  onlyIfBooked?: string;
}

/** Named identifiers of what an effect made or found: `id`, and `all` for schedules and receipts. */
export interface EffectOutput {
  id?: string;
  all?: string[];
}

/** The code of a refusal that only a person can decide: whether a call took effect is not known. It was not refused. */
export const EFFECT_UNKNOWN = 'effect-unknown';

/** The code of a refusal because what was looked for is not there, or not yet. */
export const RECORD_MISSING = 'record-missing';

/** What came of asking for an effect. An applier within the caller's transaction never leaves one `pending`. */
export type EffectResult =
  | {
      /** `applied` now, or `existing`: applied before under the same key. */
      state: 'applied' | 'existing';
      output: EffectOutput;
      attention: Attention[];
    }
  | {
      state: 'refused';
      code: string;
      reason: string;
      /** Of code {@link RECORD_MISSING}: the business key of the effect that would make what was looked for. */
      waitsFor?: string;
    }
  | {
      /** Neither applied nor refused yet. Asking again before `until` is of no use; asking again is always safe. */
      state: 'pending';
      until: Date;
      /** For a person, without personal data. */
      reason: string;
    };
