import type { Observation, Sample } from './observation';

/**
 * The longest that a replica which is no more may keep the others from anything, in milliseconds. What the others need by
 * themselves, on a machine that may be busy, comes on top.
 */
const LIMIT_MS = 40_000;
/** A standstill that is shorter need not be reported, in milliseconds; on a busy machine, the usual time comes on top. */
const UNREPORTED_MS = 20_000;
/** A metric may be behind by so much, and by the usual time: it is asked for twice a second, and a busy machine is late. */
const TOLERANCE_MS = 5_000;

/** What a healthy replica did not get done in time, and what it did not report truly. */
export function complaintsOf(observation: Observation): string[] {
  return [
    ...lateOrders(observation),
    ...lateFeed(observation),
    ...silentHealth('no new order was applied', observation, workStillMs),
    ...silentHealth('the feed did not grow', observation, feedStillMs),
    ...wrongMetric('ponte_oldest_waiting_seconds', observation, workStillMs, 'waitingSeconds'),
    ...wrongMetric(
      'ponte_feed_unplaced_seconds',
      readAfterwards(observation),
      feedStillMs,
      'unplacedSeconds',
    ),
    ...aftermath(observation),
  ];
}

/** What a metric says that the feed shows, who reads it afterwards has to find there, however long the reading takes. */
function readAfterwards(observation: Observation): Observed {
  const { orders, usualMs, samples } = observation;
  const read = samples.map((sample) => ({ ...sample, shown: observation.shownAfter(sample.toldAtMs) }));
  return { orders, usualMs, samples: read };
}

/** Until when all has to be done, in milliseconds. @param usualMs what two replicas took for it together */
export function limitMs(usualMs: number): number {
  return LIMIT_MS + 2 * usualMs;
}

function lateOrders(observation: Observation): string[] {
  const at = observation.appliedAtMs();
  const limit = limitMs(observation.usualMs);
  if (at !== undefined && at <= limit) return [];
  const inTime = observation.samples.findLast(({ atMs }) => atMs <= limit)?.applied ?? 0;
  const wanted = observation.orders.length;
  return [`the healthy replica applied ${inTime} of ${wanted} new orders in ${seconds(limit)}`];
}

function lateFeed(observation: Observation): string[] {
  const late = observation.longestUnshownMs;
  if (late <= limitMs(observation.usualMs)) return [];
  const last = observation.samples.at(-1);
  const shown = `${last?.shown} of ${last?.committed} committed changes`;
  return [`the feed had been behind for ${seconds(late)} and showed ${shown}`];
}

/** For how long no order had been applied although some waited, in milliseconds. */
function workStillMs(sample: Sample, samples: readonly Sample[], wanted: number): number {
  if (sample.applied >= wanted) return 0;
  const since = samples.find(({ applied }) => applied === sample.applied);
  return sample.atMs - (since ?? sample).atMs;
}

/** For how long the feed had lacked something that was committed, in milliseconds. */
function feedStillMs(sample: Sample, samples: readonly Sample[]): number {
  const since = samples.find(({ committed }) => committed > sample.shown);
  return Math.max(0, sample.atMs - (since ?? sample).atMs);
}

type Observed = Pick<Observation, 'samples' | 'orders' | 'usualMs'>;
type Still = (sample: Sample, samples: readonly Sample[], wanted: number) => number;

function silentHealth(what: string, { samples, orders, usualMs }: Observation, stillMs: Still): string[] {
  const unreported = UNREPORTED_MS + usualMs;
  const still = samples.filter((sample) => stillMs(sample, samples, orders.length) > unreported);
  const silent = still.filter(({ health }) => health.status === 'ok' || health.status === undefined);
  if (silent.length === 0) return [];
  const said = new Set(silent.map(({ health }) => `${health.httpStatus} ${health.status}`));
  const when = `had not for over ${seconds(unreported)}`;
  return [
    `${what} and ${when}: /health/ready said ${[...said].join(', ')} ${silent.length} times of ${still.length}`,
  ];
}

function wrongMetric(
  name: string,
  { samples, orders, usualMs }: Observed,
  stillMs: Still,
  member: 'waitingSeconds' | 'unplacedSeconds',
): string[] {
  const tolerance = TOLERANCE_MS + usualMs;
  const wrong = samples.flatMap((sample) => {
    const atLeast = stillMs(sample, samples, orders.length) - tolerance;
    const said = sample[member];
    const isWrong = said === undefined ? atLeast > UNREPORTED_MS : said * 1000 < atLeast;
    return isWrong ? [`${said} after ${seconds(atLeast + tolerance)}`] : [];
  });
  // What a sample compares is read one after another: something may have ended in between, once.
  return wrong.length <= 1 ? [] : [`${name} was wrong ${wrong.length} times: ${wrong.at(-1)}`];
}

/** Once it is over, nothing is wrong. */
function aftermath({ samples }: Observation): string[] {
  const last = samples.at(-1);
  if (last?.health.httpStatus === 200 && last.health.status === 'ok') return [];
  return [`in the end the healthy replica's health was ${JSON.stringify(last?.health)}`];
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
