/** What an effect is, whichever backend applies it. */
export interface EffectDeclaration<Input> {
  /**
   * What two inputs under one key say differently, the amount apart, which is compared by itself: each as one phrase,
   * which repeats values only where they are nobody's personal data. Empty: nothing that a person must look at.
   */
  differences(before: Input, now: Input, context: DifferenceContext): string[];
}

export interface DifferenceContext {
  /** Whether the dates of both inputs are facts; inferred ones get better with later events and are not compared. */
  readonly dates: boolean;
  /** ISO 4217 code of the organization's currency. */
  readonly currency: string;
}

/** A difference between two values of a field, if there is one. */
export function changed(field: string, before: string | undefined, now: string | undefined): string[] {
  return before === now ? [] : [`${field} ${before ?? 'none'}, now ${now ?? 'none'}`];
}
