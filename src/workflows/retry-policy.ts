import { causesOf, failureCodes } from '../database/failure-codes';
import { DatabaseUnavailable } from '../kernel/database-unavailable';

/** Whether and when to repeat what failed unexpectedly. */

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 15 * 60_000;

/** After this many failures a person must look: about an hour and a half after the first. */
export const MAX_ATTEMPTS = 12;

/** SQLSTATEs, Prisma's codes and system errors that say nothing about the work itself. */
const TRANSIENT: ReadonlySet<string> = new Set([
  ...['40001', '40P01', '55P03', '57P01', '57P02', '57P03', '08000', '08003', '08006', '53300'],
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE'],
]);
const LOST_CONNECTION = /connection (was )?(terminated|closed)|server closed the connection/i;

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
 * Whether a failure is one of the connection or of concurrent work (a deadlock, a lost server), which the same
 * batch gets over by being tried again as it is.
 */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable ||
    failureCodes(error).some((code) => TRANSIENT.has(code)) ||
    causesOf(error).some(({ message }: { message?: unknown }) =>
      typeof message === 'string' ? LOST_CONNECTION.test(message) : false,
    )
  );
}
