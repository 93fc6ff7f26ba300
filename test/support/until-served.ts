import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds; `Retry-After` says a second or more, for many clients that come back. */
const PAUSE_MS = 100;

/**
 * Asks again while the answer is 503, as it says: where many ask at once on a machine that is busy, some may wait for the
 * database for longer than they are let.
 */
export async function untilServed<Reply extends { status: number }>(
  ask: () => Promise<Reply>,
): Promise<Reply> {
  for (;;) {
    const reply = await ask();
    if (reply.status !== 503) return reply;
    await sleep(PAUSE_MS);
  }
}
