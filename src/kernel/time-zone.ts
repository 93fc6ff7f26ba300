import { BoundedMap } from './bounded-map';

/** The one memory of time zones: what `Intl` answers is slow to ask for and large to keep. */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** What may be a zone's name; everything longer or stranger need not be asked for. */
const NAME = /^[A-Za-z0-9_+:/-]{1,64}$/;
/** `Intl` knows some six hundred names, links included, whatever letter case they come in. */
const MOST_NAMES = 1_000;
/** Zones whose clocks are kept, each with a formatter of some 100 KB: more than organizations are usually in. */
const MOST_ZONES = 48;
/** Days whose offset is kept of a zone. */
const MOST_OFFSETS = 1_024;
/** Midnights kept as text, of all zones together. */
const MOST_MIDNIGHTS = 5_000;
/** Spans of years kept of zones, each with the changes of its clocks: some dozen short texts. */
const MOST_SPANS = 2 * MOST_ZONES;
/** No clocks are changed and changed back within so many days. */
const SAMPLED_DAYS = 7;

const SHOWN = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/** The clocks of one zone. */
class ZoneClocks {
  private readonly formatter: Intl.DateTimeFormat;
  /** By the first instant of the UTC day; NaN where clocks are changed before the next one. */
  private readonly days = new BoundedMap<number, number>(MOST_OFFSETS);

  constructor(timeZone: string) {
    this.formatter = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** Clocks are nowhere changed twice within a day so that the second change undoes the first. */
  offsetAt(epochMs: number): number {
    const start = Math.floor(epochMs / DAY_MS) * DAY_MS;
    const ofDay = this.days.getOrMake(start, () => {
      const offset = this.ask(start);
      return this.ask(start + DAY_MS - 1) === offset ? offset : NaN;
    });
    return Number.isNaN(ofDay) ? this.ask(epochMs) : ofDay;
  }

  private ask(epochMs: number): number {
    const parts = new Map<string, string>();
    for (const { type, value } of this.formatter.formatToParts(epochMs)) parts.set(type, value);
    const [year = 0, month = 0, day, ...time] = SHOWN.map((type) => Number(parts.get(type)));
    return Date.UTC(year, month - 1, day, ...time) - Math.floor(epochMs / 1000) * 1000;
  }
}

/** By the name in lower case: the name as `Intl` has it. */
const canonicalNames = new BoundedMap<string, string>(MOST_NAMES);
/** By the canonical name. */
const clocks = new BoundedMap<string, ZoneClocks>(MOST_ZONES);
const midnights = new BoundedMap<string, string>(MOST_MIDNIGHTS);
/** By first year, last year and zone. */
const spans = new BoundedMap<string, readonly MidnightOffset[]>(MOST_SPANS);

/**
 * The one name that `Intl` has for a zone, whatever letter case or older name of it is given.
 * @throws RangeError when there is no such zone
 */
export function canonicalZone(name: string): string {
  if (!NAME.test(name)) throw new RangeError('no such time zone');
  return canonicalNames.getOrMake(
    name.toLowerCase(),
    () => new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone,
  );
}

/** Whether it is the IANA name of a time zone. An offset such as `-03:00` is none: it knows no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    canonicalZone(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Milliseconds that clocks of the zone are ahead of UTC at an instant. Before about 1930 that need not be whole minutes.
 * @param timeZone IANA name
 * @throws RangeError when there is no such zone
 */
export function offsetAt(epochMs: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const name = canonicalZone(timeZone);
  return clocks.getOrMake(name, () => new ZoneClocks(name)).offsetAt(epochMs);
}

/**
 * The midnight at which a day begins in a zone, with its offset in whole minutes: `2026-03-10T00:00:00-03:00`. As an
 * instant it falls on the day, also where the clocks skip midnight; for a day that a zone left out altogether, when it
 * crossed the date line, there is none, and the offset before stands.
 * @param day `YYYY-MM-DD`, a real one
 * @throws RangeError when there is no such zone
 */
export function midnightOf(day: string, timeZone: string): string {
  return midnights.getOrMake(`${day} ${timeZone}`, () => `${day}T00:00:00${offsetText(day, timeZone)}`);
}

/** Days in a row whose midnights have one offset. */
export interface MidnightOffset {
  /** `YYYY-MM-DD` */
  readonly first: string;
  /** `YYYY-MM-DD` */
  readonly last: string;
  /** As {@link midnightOf} writes it: `-03:00` */
  readonly offset: string;
}

/**
 * What {@link midnightOf} says of every day of some years, for those that write midnights where it cannot be asked.
 * @param timeZone IANA name
 * @throws RangeError when there is no such zone
 */
export function midnightOffsets(
  timeZone: string,
  firstYear: number,
  lastYear: number,
): readonly MidnightOffset[] {
  return spans.getOrMake(`${firstYear} ${lastYear} ${timeZone}`, () =>
    offsetsBetween(timeZone, Date.UTC(firstYear, 0, 1), Date.UTC(lastYear, 11, 31)),
  );
}

function offsetsBetween(timeZone: string, first: number, last: number): MidnightOffset[] {
  const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const offsetOf = (ms: number) => offsetText(dayAt(ms), timeZone);
  const found: MidnightOffset[] = [];
  let [start, offset] = [first, offsetOf(first)];
  for (let known = first; known < last;) {
    const next = Math.min(known + SAMPLED_DAYS * DAY_MS, last);
    if (offsetOf(next) === offset) known = next;
    else {
      known += DAY_MS;
      while (offsetOf(known) === offset) known += DAY_MS;
      found.push({ first: dayAt(start), last: dayAt(known - DAY_MS), offset });
      [start, offset] = [known, offsetOf(known)];
    }
  }
  return [...found, { first: dayAt(start), last: dayAt(last), offset }];
}

function offsetText(day: string, timeZone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const offsets = [0, 12, -12, 24, -24].map((hours) =>
    // Downwards: with seconds cut off the other way, the instant would lie in the day before.
    Math.floor(offsetAt(midnight + hours * 3_600_000, timeZone) / MINUTE_MS),
  );
  const isOfDay = (offset: number) => {
    const instant = midnight - offset * MINUTE_MS;
    return Math.floor((instant + offsetAt(instant, timeZone)) / DAY_MS) * DAY_MS === midnight;
  };
  // Where clocks are changed later on that day, two offsets fall on it, and one of them is its beginning.
  const isMidnight = (offset: number) => {
    const instant = midnight - offset * MINUTE_MS;
    return instant + offsetAt(instant, timeZone) === midnight;
  };
  const minutes = offsets.find(isMidnight) ?? offsets.find(isOfDay) ?? offsets.at(-1) ?? 0;
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

/**
 * The instant at which clocks of a zone show a time of a day. Where they show it twice, the first; where they skip it, as
 * long after the change as the time lies in the gap.
 * @param day `YYYY-MM-DD`, a real one
 * @param minute minutes after midnight
 * @throws RangeError when there is no such zone
 */
export function instantAt(day: string, minute: number, timeZone: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`) + minute * MINUTE_MS;
  const before = wall - offsetAt(wall - DAY_MS, timeZone);
  const after = wall - offsetAt(wall + DAY_MS, timeZone);
  const shows = (instant: number) => instant + offsetAt(instant, timeZone) === wall;
  return !shows(before) && shows(after) ? after : before;
}
