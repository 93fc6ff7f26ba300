import { Random } from '../support/random';

/** How far listings are behind what was written. Replies to writes are always current. */
export interface Lag {
  /** Milliseconds at most. */
  readonly ms: number;
  /** `exact`: always so much. `random`: each record, each time it is read, by some part of it. */
  readonly kind: 'exact' | 'random';
  readonly seed?: number;
}

interface Version<T> {
  /** On the clock of `performance.now()`. */
  readonly at: number;
  readonly record: T;
}

/** How records looked before, and how old what is shown of them is. */
export class History {
  private readonly versions = new Map<string, Version<unknown>[]>();
  private random = new Random(0);
  private lag: Lag = { ms: 0, kind: 'exact' };

  /** Sets how far listings are behind from now on. */
  lagBy(lag: Lag): void {
    this.lag = lag;
    this.random = new Random(lag.seed ?? 0);
  }

  /** Remembers how a record looks from now on. */
  wrote(record: { readonly id: string }): void {
    const versions = this.versions.get(record.id) ?? [];
    versions.push({ at: performance.now(), record: { ...record } });
    this.versions.set(record.id, versions);
  }

  /** A record as it is shown now; undefined: it is not shown yet. What was never written was always there. */
  shown<T extends { readonly id: string }>(record: T): T | undefined {
    const versions = this.versions.get(record.id) as Version<T>[] | undefined;
    if (!versions || this.lag.ms === 0) return record;
    const { ms, kind } = this.lag;
    const moment = performance.now() - (kind === 'exact' ? ms : ms * this.random.next());
    return versions.findLast(({ at }) => at <= moment)?.record;
  }
}
