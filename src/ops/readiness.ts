import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Health, type HealthSource } from '../kernel/health';
import { Shutdown } from './shutdown';

/** Longest a source may take to answer, in milliseconds. */
const CHECK_LIMIT_MS = 2_000;

export interface Hindrance {
  source: string;
  reason: string;
}

/** Whether the process should get work, and what is wrong. */
export interface Condition {
  status: 'ok' | 'degraded' | 'unavailable';
  reasons: Hindrance[];
}

/** Whether this process should get work. */
@Injectable()
export class Readiness extends Health {
  protected checkLimitMs = CHECK_LIMIT_MS;
  private readonly sources: HealthSource[] = [];

  constructor(private readonly shutdown: Shutdown) {
    super();
  }

  register(source: HealthSource): void {
    this.sources.push(source);
  }

  /** Asks every source at once. */
  async condition(): Promise<Condition> {
    if (this.shutdown.begun)
      return { status: 'unavailable', reasons: [{ source: 'process', reason: 'shutting down' }] };
    const found = await Promise.all(
      this.sources.map(async (source) => ({
        when: source.when,
        hindrance: await hindranceOf(source, this.checkLimitMs),
      })),
    );
    const reasons = found.flatMap(({ hindrance }) => hindrance ?? []);
    if (reasons.length === 0) return { status: 'ok', reasons };
    const stops = found.some(({ when, hindrance }) => hindrance !== undefined && when === 'unavailable');
    return { status: stops ? 'unavailable' : 'degraded', reasons };
  }
}

/** A check that throws is reported by its kind only: its message may name hosts and users. */
async function hindranceOf(source: HealthSource, limitMs: number): Promise<Hindrance | undefined> {
  const limit = new AbortController();
  const late = wait(limitMs, `no answer within ${limitMs} ms`, { signal: limit.signal });
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
