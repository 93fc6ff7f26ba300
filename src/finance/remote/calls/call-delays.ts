import type { FinanceConnection } from '../client/connection';
import { type AttemptOutcome, leftAloneAfter } from '../client/finance-client';
import type { CallResult } from './call';

/** Of the time a service is given to settle, how much may pass between the intent and the sending; at most. */
const GUARD_PART = 4;
const LONGEST_GUARD_MS = 5_000;

/** Milliseconds between tries to send what did not arrive. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** Milliseconds that may pass between the intent and the sending; later, the call is not sent. */
export function guardOf({ settleMs }: FinanceConnection): number {
  return Math.min(settleMs / GUARD_PART, LONGEST_GUARD_MS);
}

/** From when on whoever sends a call now must have died, and the service has settled. */
export function lostAt(connection: FinanceConnection, now: Date): Date {
  const { timeouts, settleMs } = connection;
  return new Date(now.getTime() + guardOf(connection) + timeouts.totalMs + settleMs);
}

/** Doubling, less up to half of it at random, so that what failed together does not come back together. */
export function retryAt(now: Date, number: number, outcome: AttemptOutcome): Date {
  const ceiling = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(number - 1, 20));
  const wanted = outcome.kind === 'not-sent' ? (outcome.retryAfterMs ?? 0) : 0;
  const spread = ceiling * (1 - Math.random() / 2);
  return new Date(now.getTime() + Math.round(wanted > spread ? wanted + spread / 2 : spread));
}

/** Not sooner than asking again is of use. */
export function later(until: Date, now: Date): Date {
  return new Date(Math.max(until.getTime(), now.getTime() + FIRST_RETRY_MS));
}

/** The result of a call to a service that is not called for so long: it is down, or asked for a pause. */
export function pausedFor(now: Date, milliseconds: number, failure?: string): CallResult {
  const reason = `the finance service ${leftAloneAfter(failure)}`;
  return { state: 'planned', until: new Date(now.getTime() + milliseconds), reason };
}

/** Another receipt was made since it was read what is open: it is to be read again. */
export function outdated(now: Date): CallResult {
  const reason = 'another receipt for the same schedule was made meanwhile';
  return { state: 'planned', until: later(now, now), reason, queued: true };
}
