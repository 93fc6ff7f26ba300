import { type PlacedRefusal, Refusal } from '../../../http/field';

/** The part of a recurrence that says whether it ends. */
export interface SpelledRecurrence {
  type?: string | null;
  occurrences?: number | null;
  endDate?: object | null;
  enabled?: boolean | null;
  recurrenceEndType?: string | null;
  maxOccurrences?: number | null;
}

/** How a recurrence ends: the interface's words, and those of clients that were written for other services. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['undefined', 'Undefined'],
  ['never', 'Undefined'],
  ['byoccurrences', 'ByOccurrences'],
  ['occurrences', 'ByOccurrences'],
  ['maxoccurrences', 'ByOccurrences'],
  ['bydate', 'ByDate'],
  ['date', 'ByDate'],
  ['enddate', 'ByDate'],
]);

const UNCLEAR =
  'does not say when it ends: send type ByOccurrences with occurrences, type ByDate with endDate, or type Undefined for ' +
  'one that has no end';

/**
 * Puts how a recurrence ends where the interface documents it: `type`, `occurrences` and `endDate`. Other spellings are
 * gone afterwards. It has no end only where the body says so, or says nothing that could be meant for one.
 * @param ignored names in it that nobody knows
 */
export function spelledOut(recurrence: SpelledRecurrence, ignored: readonly string[]): PlacedRefusal[] {
  const { enabled, recurrenceEndType, maxOccurrences } = recurrence;
  if (isOff(recurrence)) return [];
  for (const name of ['enabled', 'recurrenceEndType', 'maxOccurrences'] as const) delete recurrence[name];
  const refusals = [...endOf(recurrence, recurrenceEndType), ...countOf(recurrence, maxOccurrences)];
  if (refusals.length > 0) return refusals;
  const { type, occurrences, endDate } = recurrence;
  const isForeign = enabled === true || recurrenceEndType != null || maxOccurrences != null;
  const hasLimit = (occurrences ?? 0) > 0 || endDate != null;
  if (type === 'Undefined' && isForeign && hasLimit) return [refusal('type', 'differs', UNCLEAR)];
  if (type != null) return [];
  if (occurrences != null && endDate == null) recurrence.type = 'ByOccurrences';
  else if (endDate != null && occurrences == null) recurrence.type = 'ByDate';
  else if (isForeign || ignored.length > 0 || occurrences != null)
    return [refusal('type', 'required', UNCLEAR)];
  return [];
}

/** Whether it says of itself that there is none. */
export function isOff({ enabled }: SpelledRecurrence): boolean {
  return enabled === false;
}

function endOf(recurrence: SpelledRecurrence, written: string | null | undefined): PlacedRefusal[] {
  if (written == null) return [];
  const type = ENDS.get(written.toLowerCase());
  if (type === undefined)
    return [refusal('recurrenceEndType', 'one-of', 'must be Undefined, ByOccurrences or ByDate')];
  if ((recurrence.type ??= type) === type) return [];
  return [refusal('recurrenceEndType', 'differs', 'is not the type of the recurrence')];
}

function countOf(recurrence: SpelledRecurrence, most: number | null | undefined): PlacedRefusal[] {
  if (most == null || (recurrence.occurrences ??= most) === most) return [];
  return [refusal('maxOccurrences', 'differs', 'is not the number of occurrences')];
}

function refusal(field: string, code: string, message: string): PlacedRefusal {
  return { path: [field], refusal: new Refusal(code, message) };
}
