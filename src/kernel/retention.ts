/** How many days each kind of what grows may be kept, where it is not kept for ever. */
interface Bounds {
  /** Fewer would break a promise; `docs/retention.md` says which. */
  readonly least: number;
  readonly most: number;
}

const MOST_DAYS = 36_500;

/**
 * What an organization may keep for a time. Null days: for ever, which bodies cannot be. `feedUnread` is no kind of its own: it
 * is when changes go that a known connector has not read.
 */
export const RETENTION_BOUNDS = {
  bodies: { least: 1, most: 3_650 },
  plans: { least: 90, most: MOST_DAYS },
  calls: { least: 90, most: MOST_DAYS },
  deferred: { least: 90, most: MOST_DAYS },
  attention: { least: 90, most: MOST_DAYS },
  idempotency: { least: 7, most: MOST_DAYS },
  feed: { least: 7, most: MOST_DAYS },
  feedUnread: { least: 30, most: MOST_DAYS },
} as const satisfies Record<string, Bounds>;

export type RetentionSetting = keyof typeof RETENTION_BOUNDS;

export const RETENTION_SETTINGS = Object.keys(RETENTION_BOUNDS) as RetentionSetting[];

/** Days by setting; null: for ever. */
export type RetentionDays = Readonly<Record<Exclude<RetentionSetting, 'bodies'>, number | null>> & {
  readonly bodies: number;
};

/** What is to be set; what is left out stays. */
export type RetentionChange = { readonly [S in RetentionSetting]?: RetentionDays[S] };

/**
 * Reads what was stored of all but bodies. What is no number of days counts as kept for ever: nothing is removed on a doubt.
 * @param bodies days for which bodies are kept
 */
export function storedRetention(stored: unknown, bodies: number): RetentionDays {
  const values = isMapping(stored) ? stored : {};
  const days = (setting: RetentionSetting): number | null => {
    const value = values[setting];
    return isDays(setting, value) ? value : null;
  };
  return {
    bodies,
    plans: days('plans'),
    calls: days('calls'),
    deferred: days('deferred'),
    attention: days('attention'),
    idempotency: days('idempotency'),
    feed: days('feed'),
    feedUnread: days('feedUnread'),
  };
}

/** What is stored of all but bodies. */
export function retentionToStore({ bodies: _bodies, ...others }: RetentionDays): Record<string, number> {
  return Object.fromEntries(
    Object.entries(others).filter((entry): entry is [string, number] => entry[1] !== null),
  );
}

/** How one setting is written: as a sentence, for people who wrote another. */
export function daysMessage(setting: RetentionSetting): string {
  const { least, most } = RETENTION_BOUNDS[setting];
  return `must be a whole number of days from ${least} to ${most}${setting === 'bodies' ? '' : ', or forever (null in the API)'}`;
}

/** Whether a value is a number of days that the setting takes. */
export function isDays(setting: RetentionSetting, value: unknown): value is number {
  const { least, most } = RETENTION_BOUNDS[setting];
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/**
 * Reads what the configuration folder says: days by setting, or `forever`.
 * @returns the change, or the setting that is wrong with a sentence about it
 */
export function readRetention(
  value: unknown,
): { change: RetentionChange } | { setting: string; message: string } {
  if (!isMapping(value)) return { setting: '', message: 'must be a mapping of kinds to days' };
  const change: Record<string, number | null> = {};
  for (const [name, said] of Object.entries(value)) {
    const setting = RETENTION_SETTINGS.find((candidate) => candidate === name);
    if (!setting) return { setting: name, message: `is no kind; there are ${RETENTION_SETTINGS.join(', ')}` };
    const days = said === 'forever' || said === null ? null : said;
    if (!isDays(setting, days) && (days !== null || setting === 'bodies'))
      return { setting, message: daysMessage(setting) };
    change[setting] = days;
  }
  const wrong = unreadBeforeRead(change);
  return wrong ?? { change };
}

/** What is wrong with the two settings of the feed together; undefined: nothing. */
export function unreadBeforeRead({
  feed,
  feedUnread,
}: RetentionChange): { setting: RetentionSetting; message: string } | undefined {
  if (typeof feed !== 'number' || typeof feedUnread !== 'number' || feedUnread >= feed) return undefined;
  return { setting: 'feedUnread', message: `must not be less than feed, which is ${feed}` };
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
