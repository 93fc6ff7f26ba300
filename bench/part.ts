import type { BenchContext } from './context';

/** One number that a part measured. */
export interface Figure {
  /** Unique within its part; goals name it. */
  name: string;
  value: number;
  /** `/s`, `ms`, `MB`, `s`, or `×` for a ratio. */
  unit: string;
  /** What the value is the median of, in the order it was measured. */
  runs?: readonly number[];
}

/** The goal of a figure. */
export interface Goal {
  /** The name of the figure. A goal whose figure is missing could not be measured. */
  figure: string;
  atLeast?: number;
  atMost?: number;
  /** Only the long form measures this figure. */
  longOnly?: boolean;
  /** More than is asked for. */
  moonshot?: boolean;
}

/** What one process used while it was measured. */
export interface ProcessUse {
  /** `ponte`, `PostgreSQL`, `generator`, … */
  name: string;
  /** User and system time, all threads, all child processes. */
  cpuSeconds: number;
  /** Of PostgreSQL: the private memory of all its processes and the shared memory touched, once. */
  peakMegabytes: number;
}

export interface ResultTable {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** Horizontal bars, drawn in the order given. */
export interface BarChart {
  /** A file name without ending: `intake`. */
  name: string;
  title: string;
  unit: string;
  bars: readonly { label: string; value: number; ours?: boolean }[];
}

export interface PartResult {
  figures: readonly Figure[];
  processes?: readonly ProcessUse[];
  tables?: readonly ResultTable[];
  charts?: readonly BarChart[];
  /** Sentences for the reader: what differed from the plan, what the figures do not say. */
  notes?: readonly string[];
}

/** One part of the suite; `bench/parts/NAME.ts` exports it as `part`. */
export interface Part {
  /** As on the command line, and the name of its file. */
  name: string;
  title: string;
  /** Parts run in this order: 10 for the first of the items, 20 for the second, … */
  order: number;
  goals: readonly Goal[];
  /** @throws Error when it could not be measured */
  run(context: BenchContext): Promise<PartResult>;
}
