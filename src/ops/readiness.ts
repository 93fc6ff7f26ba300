import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Health, type HealthSource } from '../kernel/health';
import { Shutdown } from './shutdown';

/** Longest a source may take to answer, in milliseconds. */
const CHECK_LIMIT_MS = 2_000;

/** Why the process should get no work. */
export interface Hindrance {
  source: string;
  reason: string;
}

/** Whether this process should get work. */
@Injectable()
export class Readiness extends Health {
  private readonly sources: HealthSource[] = [];

  constructor(private readonly shutdown: Shutdown) {
    super();
  }

  register(source: HealthSource): void {
    this.sources.push(source);
  }

  /** Asks every source at once. @returns nothing when all is well */
  async hindrances(): Promise<Hindrance[]> {
    if (this.shutdown.begun) return [{ source: 'process', reason: 'shutting down' }];
    const found = await Promise.all(this.sources.map((source) => hindranceOf(source)));
    return found.filter((hindrance) => hindrance !== undefined);
  }
}

/** A check that throws is told by its kind only: its message may name hosts and users. */
async function hindranceOf(source: HealthSource): Promise<Hindrance | undefined> {
  const limit = new AbortController();
  const late = wait(CHECK_LIMIT_MS, `no answer within ${CHECK_LIMIT_MS} ms`, { signal: limit.signal });
  try {
    const reason = await Promise.race([source.check(), late]);
    return reason === undefined ? undefined : { source: source.name, reason };
  } catch (error) {
    return { source: source.name, reason: `failed (${error instanceof Error ? error.name : 'unknown'})` };
  } finally {
    // The time limit's own rejection is expected from here on.
    late.catch(() => undefined);
    limit.abort();
  }
}
