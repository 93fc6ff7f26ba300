import type { Machine } from '../frame/machine';
import type { Goal, PartResult } from '../part';

/** What one part came to. */
export interface PartReport {
  name: string;
  title: string;
  order: number;
  short: boolean;
  /** ISO 8601, in UTC. */
  measuredAt: string;
  seconds: number;
  goals: readonly Goal[];
  /** Absent: it could not be measured. */
  result?: PartResult;
  /** Why. */
  error?: string;
  /** What it was measured on, where that is not the report's machine. */
  machine?: Machine;
}

/** One run of the suite, as written to `bench/results/`. */
export interface BenchReport {
  machine: Machine;
  /** Of the code that was measured, as `git describe` says; absent: unknown. */
  revision?: string;
  parts: readonly PartReport[];
}

/** An earlier report with the parts of a later one put in: what was not measured again stays, with its machine. */
export function mergeReports(earlier: BenchReport | undefined, later: BenchReport): BenchReport {
  const anew = new Set(later.parts.map(({ name }) => name));
  const kept = (earlier?.parts ?? [])
    .filter(({ name }) => !anew.has(name))
    .map((part) => ({ machine: earlier?.machine, ...part }));
  return { ...later, parts: [...kept, ...later.parts].sort((left, right) => left.order - right.order) };
}
