import { readFileSync } from 'node:fs';

/**
 * Milliseconds that this process and another one have waited for a processor so far, by their main threads. Of a span
 * of time it is the part that a busy machine took, and not the service: bounds are kept without it. Where a system does
 * not count that it is 0.
 */
export function waitedForProcessor(pid: number): number {
  return waitedBy(pid) + waitedBy(process.pid);
}

function waitedBy(pid: number): number {
  try {
    const [, nanoseconds = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return 0;
  }
}
