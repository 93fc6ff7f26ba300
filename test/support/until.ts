import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something is so; the test's own time-out ends it if it never is. */
export async function until(reached: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await reached())) await sleep(5);
}
