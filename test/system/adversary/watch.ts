import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bystander } from './bystander';
import type { Observed } from './health-probe';
import type { Target } from './target';

const ROOT = join(__dirname, '../../..');

/** Longest that `/health/live` may take, in milliseconds. */
export const LIVE_WITHIN_MS = 1_000;
/** Longest that another organization's ordinary order may take from the first try to sending it to its end. */
export const APPLIED_WITHIN_MS = 10_000;
/** Most memory that may be resident. The embedded database works in the service's own process. */
export const MOST_MEMORY_MB = process.env['TEST_DATABASE_URL'] ? 500 : 900;

/** Characters of each line of a report. */
const LONGEST_LINE = 1_000;

/** What is wrong about how a service stood an attack; nothing when it is unharmed. */
export type Harm = string[];

/** Watches a service while it is attacked: does it live, does another organization get its work done? */
export class Watch {
  /** What was measured, as a line for people. */
  summary = 'nothing was measured';

  private constructor(
    private readonly target: Target,
    private readonly probe: ChildProcess,
  ) {}

  static async start(target: Target): Promise<Watch> {
    const script = join(ROOT, 'scripts/run-ts.cjs');
    const probe = fork(script, [join(__dirname, 'health-probe.ts'), target.url, String(target.pid)], {
      cwd: ROOT,
      execArgv: [],
    });
    const watch = new Watch(target, probe);
    // The first answers: it is up.
    while ((await watch.observed()).probes === 0) await sleep(100);
    return watch;
  }

  /**
   * Runs the attack, with an ordinary order of a bystander now and then.
   * @param attack returns what it found wrong itself
   * @param withinMs how long the attack may take altogether
   */
  async during(attack: () => Promise<string[]>, withinMs: number): Promise<Harm> {
    const bystander = new Bystander(this.target);
    await bystander.orderOnce();
    const warmUp = bystander.harm(Infinity);
    await this.observed();
    const going = bystander.keepOrdering();
    const patience = new AbortController();
    const late = sleep(withinMs, [`the attack did not end within ${withinMs / 1000} s`], {
      signal: patience.signal,
    });
    const found = await Promise.race([attack().catch(asHarm), late.catch(() => [])]);
    patience.abort();
    await bystander.stop();
    await going;
    const observed = await this.observed();
    this.summary = `longest /health/live ${Math.round(observed.longestMs)} ms of ${observed.probes}, most memory ${Math.round(observed.mostMemoryMb)} MB, slowest ordinary order ${Math.round(bystander.slowestMs)} ms`;
    const all = [
      ...warmUp,
      ...found,
      ...bystander.harm(APPLIED_WITHIN_MS),
      ...harmOf(observed),
      ...this.broken(),
    ];
    return all.map((line) => line.slice(0, LONGEST_LINE));
  }

  stop(): void {
    this.probe.disconnect();
  }

  private broken(): string[] {
    const lines = this.target.brokenLines();
    const rest = lines.length > 3 ? [`… and ${lines.length - 3} such lines more`] : [];
    return [...lines.slice(0, 3), ...rest, ...(this.target.running ? [] : ['the service has ended'])];
  }

  private async observed(): Promise<Observed> {
    const reply = once(this.probe, 'message');
    this.probe.send('tell');
    const [observed] = (await reply) as [Observed];
    return observed;
  }
}

/** An attack that cannot go on, because a list is not answered for instance. */
function asHarm(error: unknown): Harm {
  return [error instanceof Error ? error.message : String(error)];
}

function harmOf({ longestMs, failures, mostMemoryMb }: Observed): string[] {
  const harm = failures.map((failure) => `/health/live: ${failure}`).slice(0, 3);
  if (longestMs > LIVE_WITHIN_MS) harm.push(`/health/live took ${Math.round(longestMs)} ms`);
  if (mostMemoryMb > MOST_MEMORY_MB) harm.push(`${Math.round(mostMemoryMb)} MB were resident`);
  return harm;
}
