import { backoffMs, MAX_ATTEMPTS } from '../workflows/retry-policy';

/** What becomes of a delivery that failed for a reason inside Ponte. */
export interface Failed {
  /** Failures so far, this one included. */
  attempts: number;
  /** When it is tried again; absent: it is given to a person. */
  readyAt?: Date;
  /** For a person. */
  reason: string;
}

/** @param before failures before this one */
export function failed(before: number, now: Date): Failed {
  const attempts = before + 1;
  if (attempts >= MAX_ATTEMPTS) {
    const reason = `failed ${attempts} times for a reason inside Ponte; the log has it under this delivery's id`;
    return { attempts, reason };
  }
  const readyAt = new Date(now.getTime() + backoffMs(attempts, Math.random()));
  return { attempts, readyAt, reason: `failed ${attempts} times inside Ponte; trying again` };
}
