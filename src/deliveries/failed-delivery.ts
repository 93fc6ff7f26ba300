import { backoffMs, MAX_ATTEMPTS } from '../workflows/retry-policy';

/** After work on it did not end so many times, a delivery is given to a person. */
export const MOST_INTERRUPTED = 3;

/** What becomes of a delivery that failed for a reason inside Ponte. */
export interface Failed {
  /** Failures so far, this one included. */
  attempts: number;
  /** Milliseconds until it is tried again; absent: it is given to a person. */
  delayMs?: number;
  /** For a person. */
  reason: string;
}

/** @param before failures before this one */
export function failed(before: number): Failed {
  const attempts = before + 1;
  if (attempts >= MAX_ATTEMPTS) {
    const reason = `failed ${attempts} times for a reason inside Ponte; the log has it under this delivery's id`;
    return { attempts, reason };
  }
  const delayMs = backoffMs(attempts, Math.random());
  return { attempts, delayMs, reason: `failed ${attempts} times inside Ponte; trying again` };
}
