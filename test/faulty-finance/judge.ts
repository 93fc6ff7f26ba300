import { isTelling, type Fault, type FaultKind } from './fault';

/** Something that took effect. */
export interface Effect {
  /** `POST /customers` */
  readonly operation: string;
  /** What it is to the business: two effects of the same identity are one too many. */
  readonly identity: string;
  /** Of the record it made. */
  readonly id: string;
  /** In hundredths; 0 where no money is meant. */
  readonly minor: number;
  /** Milliseconds since the service began. */
  readonly at: number;
}

/** One request that was read. */
export interface Asked {
  readonly operation: string;
  readonly identities: readonly string[];
  readonly fault: FaultKind;
  /** Whether a client could tell from what it saw. */
  readonly telling: boolean;
  /** Milliseconds since the service began. */
  readonly at: number;
  /** Of the answer that was, or would have been, given; absent: it had no effect because of the fault. */
  status?: number;
}

export interface Report {
  readonly requests: number;
  readonly effects: Readonly<Record<string, { count: number; minor: number }>>;
  /** Identities with more than one effect, and how many each has. */
  readonly duplicates: Readonly<Record<string, number>>;
  /** Requests for what was in effect already, whatever came of them, by identity. */
  readonly repeats: Readonly<Record<string, number>>;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
}

/** Writes down what was asked and what took effect, and tells what took effect more than once. */
export class Judge {
  readonly effects: Effect[] = [];
  readonly requests: Asked[] = [];
  private readonly counts = new Map<string, number>();
  private readonly repeats = new Map<string, number>();
  private readonly faults = new Map<FaultKind, number>();

  /** @returns the entry, so that its answer can be added */
  asked(operation: string, identities: readonly string[], fault: Fault): Asked {
    for (const identity of identities) if (this.counts.has(identity)) increase(this.repeats, identity);
    this.injected(fault.kind);
    const entry: Asked = { operation, identities, fault: fault.kind, telling: isTelling(fault), at: now() };
    this.requests.push(entry);
    return entry;
  }

  applied(effects: readonly Omit<Effect, 'at'>[]): void {
    this.effects.push(...effects.map((effect) => ({ ...effect, at: now() })));
    for (const { identity } of effects) increase(this.counts, identity);
  }

  /** Counts a fault; those of requests are counted when they are asked. */
  injected(kind: FaultKind): void {
    if (kind !== 'none') increase(this.faults, kind);
  }

  report(): Report {
    return {
      requests: this.requests.length,
      effects: this.sums(),
      duplicates: Object.fromEntries([...this.counts].filter(([, count]) => count > 1)),
      repeats: Object.fromEntries(this.repeats),
      faults: Object.fromEntries(this.faults),
    };
  }

  private sums(): Report['effects'] {
    const sums: Record<string, { count: number; minor: number }> = {};
    for (const { operation, minor } of this.effects) {
      const sum = (sums[operation] ??= { count: 0, minor: 0 });
      sum.count += 1;
      sum.minor += minor;
    }
    return sums;
  }
}

function increase<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function now(): number {
  return Math.round(performance.now());
}
