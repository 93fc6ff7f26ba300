import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { waitedForProcessor } from './processor';

/**
 * A process of its own that asks `/health/live` every 100 ms, each time on a new connection, so that the attacker's
 * work cannot delay the question: `run-ts.cjs health-probe.ts URL PID`. Any message makes it say what it saw since
 * the message before.
 */

/** What was seen in a span of time. */
export interface Observed {
  probes: number;
  /** The longest answer in milliseconds, less what either process waited for a processor in that time. */
  longestMs: number;
  /** Answers other than 200, and connections that were refused or broken. */
  failures: string[];
  /** The most memory the service had resident, in MB of a million bytes. */
  mostMemoryMb: number;
}

const EVERY_MS = 100;
const MOST_OUTSTANDING = 50;
const PAGE = 4096;

const [url = '', target = ''] = process.argv.slice(2);
const pid = Number(target);
const outstanding = new Map<number, { asked: number; waitedBefore: number }>();
let next = 0;
let seen = nothing();

function nothing(): Observed {
  return { probes: 0, longestMs: 0, failures: [], mostMemoryMb: 0 };
}

function memory(): number {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return (Number(pages) * PAGE) / 1e6;
  } catch {
    return 0;
  }
}

function lasted({ asked, waitedBefore }: { asked: number; waitedBefore: number }): number {
  return Math.max(0, performance.now() - asked - (waitedForProcessor(pid) - waitedBefore));
}

function probe(): void {
  seen.mostMemoryMb = Math.max(seen.mostMemoryMb, memory());
  if (outstanding.size >= MOST_OUTSTANDING) return;
  const number = next++;
  const begun = { asked: performance.now(), waitedBefore: waitedForProcessor(pid) };
  outstanding.set(number, begun);
  const ended = (failure?: string): void => {
    if (!outstanding.delete(number)) return;
    seen.probes += 1;
    seen.longestMs = Math.max(seen.longestMs, lasted(begun));
    if (failure !== undefined && seen.failures.length < 20) seen.failures.push(failure);
  };
  const request = get(`${url}/health/live`, { agent: false }, (reply) => {
    reply.resume();
    reply.on('end', () => ended(reply.statusCode === 200 ? undefined : `answered ${reply.statusCode}`));
  });
  request.on('error', (error: NodeJS.ErrnoException) => ended(error.code ?? error.message));
}

setInterval(probe, EVERY_MS);
process.on('message', () => {
  // What is not answered yet counts with its age.
  for (const begun of outstanding.values()) seen.longestMs = Math.max(seen.longestMs, lasted(begun));
  process.send?.(seen);
  seen = nothing();
});
process.on('disconnect', () => process.exit(0));
