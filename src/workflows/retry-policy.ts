import { causesOf } from '../database/failure-codes';
import { isAway } from '../database/unavailable';

/** Whether and when to repeat what failed unexpectedly. */

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 15 * 60_000;

/** After this many failures a delivery is a dead letter: about an hour and a half after the first. */
export const MAX_ATTEMPTS = 12;

/**
 * What ends work that took too long: `statement_timeout` and `transaction_timeout` of the server, and Prisma's code for
 * a transaction past its limit. That it was silent for too long says that this process was slow.
 */
const TIMED_OUT: ReadonlySet<string> = new Set(['57014', '25P04', 'P2028']);
/** Prisma gives the same code to work that never began, for want of a connection. */
const NEVER_BEGAN = /unable to start a transaction/i;

/**
 * Milliseconds to wait before the next try: doubling from one second to a quarter of an hour, less up to half
 * of it at random, so that what failed together does not come back together.
 * @param attempts failures so far, at least 1
 * @param random from 0 to 1
 */
export function backoffMs(attempts: number, random: number): number {
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 20));
  return Math.round(ceiling * (1 - random / 2));
}

/**
 * Whether the work itself took longer than a statement or a transaction may. The same batch would take as long again:
 * repeat it in smaller parts, and count the attempt. A connection that gave no answer at all is not meant: the server
 * ends a slow statement before the driver gives its connection up.
 */
export function isTimeout(error: unknown): boolean {
  return causesOf(error).some(({ code, message }: { code?: unknown; message?: unknown }) => {
    if (typeof code !== 'string' || !TIMED_OUT.has(code)) return false;
    return !(typeof message === 'string' && NEVER_BEGAN.test(message));
  });
}

/**
 * Whether a failure is one of the connection or of concurrent work (a deadlock, a lock that another keeps, a lost
 * server), which the same batch gets over by being tried again as it is. Never so what {@link isTimeout} knows.
 */
export function isTransient(error: unknown): boolean {
  return isAway(error) && !isTimeout(error);
}
