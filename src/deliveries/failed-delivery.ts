import type { Logger } from '@nestjs/common';
import { backoffMs, MAX_ATTEMPTS } from '../workflows/retry-policy';
import type { ClaimedDelivery } from './delivery-queue.repository';

/** After work on it did not end so many times, a delivery is given to a person. */
export const MOST_INTERRUPTED = 3;

/** What becomes of a delivery that failed for a reason inside Ponte. */
interface Failed {
  /** Milliseconds until it is tried again; absent: it is given to a person. */
  delayMs?: number;
  /** For a person. */
  reason: string;
}

/** Logs the failure, and decides by the number of those before. */
export function failed(delivery: ClaimedDelivery, error: unknown, logger: Logger): Failed {
  const { id, organizationId } = delivery;
  const attempts = delivery.attempts + 1;
  logger.error({
    msg: 'delivery worker: a delivery failed; it is tried again later, and becomes a dead letter after too many attempts',
    organizationId,
    delivery: id,
    attempts,
    err: error,
  });
  return attempts >= MAX_ATTEMPTS
    ? {
        reason: `failed ${attempts} times for a reason inside Ponte; the log has it under this delivery's id`,
      }
    : {
        delayMs: backoffMs(attempts, Math.random()),
        reason: `failed ${attempts} times inside Ponte; trying again`,
      };
}
