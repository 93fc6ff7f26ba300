export type Level = 'ok' | 'warn' | 'fail';

/** One thing that was checked. None of its texts holds a secret. */
export interface Finding {
  /** `fail`: Ponte would not start, or would not keep what it promises. */
  readonly level: Level;
  /** Short name, always the same for the same check: `migrations`. */
  readonly check: string;
  /** What was found. */
  readonly what: string;
  /** What to do about it; absent where there is nothing to do. */
  readonly todo?: string;
}

export function ok(check: string, what: string): Finding {
  return { level: 'ok', check, what };
}

export function warn(check: string, what: string, todo: string): Finding {
  return { level: 'warn', check, what, todo };
}

export function fail(check: string, what: string, todo: string): Finding {
  return { level: 'fail', check, what, todo };
}

/** Bytes for a person: `1.5 GiB`. */
export function inBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}
