import type { MoneyFacts } from '../../events/money-facts';
import type { RecordedEffect } from '../../finance/api/effects/effect-records.port';
import { keysOfPlans, type Plan } from '../../rules/plan';
import type { StoredDeferral } from '../../workflows/deferred/deferred-effects.repository';
import type { StepRecord } from '../../workflows/step-record';

/** A delivery about an entity. */
export interface KnownDelivery {
  readonly id: string;
  readonly state: 'waiting' | 'done' | 'dead' | 'discarded';
  readonly reason: string | null;
  /** Whether it waits for a record that another delivery makes, and for nothing else. */
  readonly waitsOnly: boolean;
  /** Whether it can be worked on again. */
  readonly hasBody: boolean;
}

/** A stored run of one of them. */
export interface KnownRun {
  readonly deliveryId: string;
  readonly plan: Plan;
  readonly steps: readonly Pick<StepRecord, 'id' | 'state' | 'reason'>[];
}

/** The records of an applied effect, as they stand in the books. */
export interface BookedRecords {
  /** How many are not there any more, or were taken back. */
  readonly gone: number;
  /** Minor units, of those that are there. */
  readonly minor: bigint;
}

/** What is known of effects, by business key. */
export interface EffectsKnown {
  readonly records: ReadonlyMap<string, RecordedEffect>;
  readonly deferred: ReadonlyMap<string, Pick<StoredDeferral, 'state' | 'effect'>>;
  readonly heldBack: ReadonlyMap<string, 'waiting' | 'declined'>;
  /** Absent: the books were not asked, or cannot say. */
  readonly books: ReadonlyMap<string, BookedRecords>;
}

/** An order, payout, dispute or bill with all that is known of it. */
export interface KnownEntity {
  readonly facts: MoneyFacts;
  /** The oldest first. */
  readonly deliveries: readonly KnownDelivery[];
  readonly runs: readonly KnownRun[];
}

/** Instalments whose keys are tried: more than any card is paid in. */
export const MOST_INSTALMENTS = 60;

/**
 * The keys under which the rules that come with Ponte book an entity, and those that its runs planned: what is under none of
 * them is not found.
 */
export function keysOf({ facts, runs }: KnownEntity): string[] {
  const planned = keysOfPlans(runs.map(({ plan }) => plan));
  return [...new Set([...planned, ...usualKeys(facts)])];
}

/** The keys under which the rules that come with Ponte book it. */
export function usualKeys({ key, kind, payments, refunds, fees, instalments }: MoneyFacts): string[] {
  if (kind === 'payout') return [`transfer/${key}`, `payment/${key}/fee`];
  if (kind === 'dispute') return [`payment/${key}`, `payment/${key}/fee`, `direct-receipt/${key}/won`];
  if (kind === 'bill') return [`payment/${key}`];
  const parts = Array.from({ length: Math.min(Math.max(1, instalments), MOST_INSTALMENTS) });
  return [
    `credit-schedule/${key}`,
    ...Object.keys(payments).flatMap((payment) => [
      `receipt/${payment}`,
      `payment/${payment}/fee`,
      ...parts.flatMap((_, index) => [
        `receipt/${payment}/settlement/${index + 1}`,
        `payment/${payment}/settlement/${index + 1}/fee`,
      ]),
    ]),
    ...Object.keys(refunds).map((refund) => `payment/${refund}`),
    ...Object.keys(fees).map((fee) => `payment/${fee}`),
  ];
}
