import { isReference, type Reference } from './reference';

/** What an effect is, whichever backend applies it. */
export interface EffectDeclaration<Input> {
  /**
   * Members of the input that are about a person, or may be. They are kept while the effect is under way, and left out
   * of what is kept of it afterwards: none of them is compared by {@link differences}. Absent: there are none.
   */
  readonly personal?: readonly string[];
  /**
   * What two inputs under one key say differently, the amount apart, which is compared by itself: each as one phrase,
   * which repeats values only where they are nobody's personal data. Empty: nothing that a person must look at. Absent:
   * there never is anything.
   */
  differences?(before: Input, now: Input, context: DifferenceContext): string[];
}

/**
 * An effect that changes nothing and has no record of its own. Its key is that of the effect whose records it finds: it
 * sees whatever is applied under that key when it is asked.
 */
export interface FindingDeclaration<Input> extends EffectDeclaration<Input> {
  /** What it finds, as people call it. */
  readonly finds: string;
}

export interface DifferenceContext {
  /** Whether the dates of both inputs are facts; inferred ones get better with later events and are not compared. */
  readonly dates: boolean;
  /**
   * Whether accounts, categories, cost centers and due dates are compared: they come out of lookup tables and settings, and are not
   * compared where one of those was put in between.
   */
  readonly names: boolean;
  /** ISO 4217 code of the organization's currency. */
  readonly currency: string;
}

/** A difference between two values of a field, if there is one. */
export function changed(field: string, before: string | undefined, now: string | undefined): string[] {
  return before === now ? [] : [`${field} ${before ?? 'none'}, now ${now ?? 'none'}`];
}

/**
 * As {@link changed}, of records that rules name. One that an earlier step found is a reference in the plan and an
 * identifier when it is asked for: those cannot be compared.
 */
export function changedName(
  field: string,
  before: string | Reference | undefined,
  now: string | Reference | undefined,
): string[] {
  return isReference(before) || isReference(now) ? [] : changed(field, before, now);
}

/** The names of records that an input takes from lookup tables. */
interface NamedRecords {
  readonly account?: string | Reference;
  readonly category?: string;
  readonly costCenter?: string;
}

/** As {@link changed}, of the records that two inputs name. */
export function changedRecords(
  before: NamedRecords,
  now: NamedRecords,
  { names }: DifferenceContext,
): string[] {
  if (!names) return [];
  return [
    ...changedName('account', before.account, now.account),
    ...changed('category', before.category, now.category),
    ...changed('cost center', before.costCenter, now.costCenter),
  ];
}

/** What is known of the dates of an effect that is asked for. */
export interface DatesSaid {
  /** Whether they are facts; absent or false: some may be inferred. */
  readonly datesKnown?: boolean;
  /** When what asks for it was so (ISO 8601); absent or null: it is not said. */
  readonly saidAt?: string | null;
}

/**
 * Whether the dates of an effect are compared with those that it was asked for with before: where both are facts, and what asks is
 * not what was so earlier. An inferred date gets better with later events.
 */
export function datesCount(now: DatesSaid, before: DatesSaid): boolean {
  const isOlder = now.saidAt != null && before.saidAt != null && now.saidAt < before.saidAt;
  return now.datesKnown === true && before.datesKnown === true && !isOlder;
}
