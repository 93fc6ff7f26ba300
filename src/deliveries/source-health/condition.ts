import { SILENT_AFTER_HOURS } from '../../sources/settings';

const HOUR_MS = 3_600_000;

/** Over which time refused and accepted webhooks are compared. */
export const COMPARED_MS = HOUR_MS;
/** So many webhooks have to be refused within that time before a source fails: a stranger's try is none. */
export const FEWEST_REFUSED = 10;
/** Counting refused and accepted webhooks ends here. */
export const MOST_COMPARED = 10_000;
/** No source is silent before, in seconds: retries and slow days of a shop take hours. */
export const SHORTEST_SILENCE_SECONDS = 4 * 3600;
/** How many times its usual gap a source may be quiet. */
const TIMES_USUAL = 2;
/** Of the time after which a provider removes a quiet webhook, what is left for a person. */
const LEFT_FOR_PERSON = 1 / 3;

/** What is known of a source's webhooks. */
export interface Observed {
  paused: boolean;
  settings: Readonly<Record<string, unknown>>;
  /** Null: never. */
  lastReceivedAt: Date | null;
  /** What was learned; null: too little is known. */
  learnedSeconds: number | null;
  /** After how many hours of quiet the provider removes the webhook; absent: it does not. */
  removedWhenQuietHours?: number | undefined;
  /** Within {@link COMPARED_MS}; {@link MOST_COMPARED}: that many or more. */
  refused: number;
  /** Within the same time; counted up to `refused`. */
  accepted: number;
}

/** How a source is doing. */
export interface SourceCondition {
  /** Seconds since its newest delivery; null: there is none. */
  quietFor: number | null;
  /** Seconds within which something is expected of it; null: nobody can say, or it is not to be said. */
  expectedWithin: number | null;
  silent: boolean;
  failing: boolean;
}

/** How long a source may be quiet, in seconds. @param usualMs its usual longest gap */
export function expectedWithinSeconds(usualMs: number): number {
  return Math.max(SHORTEST_SILENCE_SECONDS, Math.ceil((usualMs * TIMES_USUAL) / 1000));
}

/** A source that is paused is neither silent nor failing: nothing is expected of it. */
export function conditionOf(observed: Observed, now: Date): SourceCondition {
  const { paused, lastReceivedAt, refused, accepted } = observed;
  const expectedWithin = expectedOf(observed);
  const quietMs = lastReceivedAt && Math.max(0, now.getTime() - lastReceivedAt.getTime());
  return {
    quietFor: quietMs === null ? null : Math.floor(quietMs / 1000),
    expectedWithin,
    silent: !paused && quietMs !== null && expectedWithin !== null && quietMs > expectedWithin * 1000,
    failing: !paused && refused >= FEWEST_REFUSED && refused > accepted,
  };
}

/** The operator's word goes before all; 0: it is never silent. A webhook that is about to be removed is said before it is. */
function expectedOf({ settings, learnedSeconds, removedWhenQuietHours }: Observed): number | null {
  const hours = settings[SILENT_AFTER_HOURS];
  if (typeof hours === 'number') return hours === 0 ? null : Math.ceil(hours * 3600);
  if (removedWhenQuietHours === undefined) return learnedSeconds;
  const warned = removedWhenQuietHours * (1 - LEFT_FOR_PERSON) * 3600;
  return Math.round(Math.min(warned, learnedSeconds ?? warned));
}

/** The business key of a source itself, for what a person must see about it. */
export function keyOfSource(slug: string): string {
  return `${slug}/source`;
}
