import type { SwitchOff } from '../../sources/source';

const HOUR_MS = 3_600_000;
/** Of what a provider bears, the part from which a person is warned. */
const WARNED_FROM = 1 / 2;
/** One failure is no row. */
const FEWEST_FAILURES = 2;
/** How many failures are counted where hours decide. */
const COUNTED_BY_HOURS = 20;

/** Webhooks of one topic that were answered with failures. */
export interface FailedTopic {
  /** Empty: of whatever topic. */
  topic: string;
  /** The first of them. */
  since: Date;
  /** The newest of them, oldest first, {@link mostCounted} at most. */
  failedAt: readonly Date[];
  /** Why the newest failed. */
  reason: string;
  /** When the newest of the topic was accepted; null: none was since. */
  acceptedAt: Date | null;
}

/** What a source's provider is about to do, or probably has done. */
export interface SourceSwitchOff {
  /** `near`: it is about to switch a webhook off. `probable`: by what it documents, it has. */
  state: 'near' | 'probable';
  /** How much of what the provider bears has happened, from a half on; 1: all of it. */
  part: number;
  /** Which webhooks, where each topic has one; empty: it has one for all. */
  topics: string[];
  /** How many failed in a row, of the topic with the most; not counted beyond `afterFailures`, or beyond 20. */
  failures: number;
  /** The first of them. */
  since: Date;
  /** The last of them. */
  lastFailedAt: Date;
  /** Why the last one failed, for a person. */
  lastFailure: string;
  /** After how many failures in a row the provider switches it off; null: hours decide. */
  afterFailures: number | null;
  /** After how many hours of failures; null: their number decides. */
  afterHours: number | null;
}

interface Row {
  topic: string;
  failures: number;
  since: Date;
  lastFailedAt: Date;
  lastFailure: string;
  part: number;
}

/** How many failures of a topic have to be known. */
export function mostCounted({ after }: SwitchOff): number {
  return 'failures' in after ? after.failures : COUNTED_BY_HOURS;
}

/** Whether no failure is left that came after the newest accepted webhook. */
export function isOver({ failedAt, acceptedAt }: FailedTopic): boolean {
  return acceptedAt !== null && failedAt.every((at) => at <= acceptedAt);
}

/** @returns undefined where nothing is near */
export function switchOffOf(
  { after }: SwitchOff,
  failed: readonly FailedTopic[],
  now: Date,
): SourceSwitchOff | undefined {
  const near = failed
    .flatMap((topic) => rowOf(topic, after, now) ?? [])
    .filter(({ part, failures }) => part >= WARNED_FROM && failures >= FEWEST_FAILURES)
    .toSorted((one, other) => other.part - one.part || (one.topic < other.topic ? -1 : 1));
  const [worst] = near;
  if (!worst) return undefined;
  const { part, failures, since, lastFailedAt, lastFailure } = worst;
  return {
    ...{ part, failures, since, lastFailedAt, lastFailure },
    state: part >= 1 ? 'probable' : 'near',
    topics: near.map(({ topic }) => topic).filter((topic) => topic !== ''),
    afterFailures: 'failures' in after ? after.failures : null,
    afterHours: 'hours' in after ? after.hours : null,
  };
}

/** What has failed since the newest that was accepted; undefined: nothing. */
function rowOf(
  { topic, since, failedAt, reason, acceptedAt }: FailedTopic,
  after: SwitchOff['after'],
  now: Date,
): Row | undefined {
  const left = failedAt.filter((at) => acceptedAt === null || at > acceptedAt);
  const [first] = left;
  const last = left.at(-1);
  if (!first || !last) return undefined;
  const began = acceptedAt !== null && since <= acceptedAt ? first : since;
  const part =
    'failures' in after ? left.length / after.failures : partOfHours(after.hours, began, last, now);
  return { topic, failures: left.length, since: began, lastFailedAt: last, lastFailure: reason, part };
}

/** Failures have to be spread over the hours that warn: one failure before a quiet day is none of the provider's concern. */
function partOfHours(hours: number, began: Date, last: Date, now: Date): number {
  const limitMs = hours * HOUR_MS;
  const spread = (last.getTime() - began.getTime()) / limitMs;
  return spread < WARNED_FROM ? spread : (now.getTime() - began.getTime()) / limitMs;
}

/** For a person: what the provider is about to do with a source's webhook, or has done, and what to do. */
export function switchOffDetail(title: string, slug: string, found: SourceSwitchOff): string {
  const { state, failures, afterFailures, afterHours, topics, since, lastFailure } = found;
  const does = state === 'near' ? 'is about to switch off' : 'has probably switched off';
  const row =
    afterFailures === null
      ? `every delivery has failed for more than half of ${afterHours ?? 0} hours`
      : `${failures} of ${afterFailures} failures in a row`;
  const which = topics.length > 0 ? ` (${topics.join(', ')})` : '';
  const what = `${title} ${does} a webhook of the source ${slug}${which}: ${row}, since ${since.toISOString()}; the last: ${lastFailure}.`;
  if (state === 'near') return what;
  return `${what} Mend the cause, switch the webhook on again (ponte sources connect ${slug}, or at ${title}), then import what was missed where no comparison finds it.`;
}
