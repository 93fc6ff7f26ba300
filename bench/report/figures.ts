import type { Run } from '../frame/contest';
import { median } from '../frame/statistics';
import type { BarChart, Figure, ProcessUse, ResultTable } from '../part';

/** The median of some runs. */
export function medianFigure(name: string, unit: string, runs: readonly number[]): Figure {
  return { name, unit, value: median(runs), runs };
}

/** The median of what one contender came to in parts of another, round by round: both had the same minute. */
export function ratioFigure(name: string, ours: readonly number[], theirs: readonly number[]): Figure {
  return medianFigure(
    name,
    '×',
    ours.map((value, round) => value / (theirs[round] ?? NaN)),
  );
}

export interface Contender {
  label: string;
  runs: readonly Run[];
}

/** A row for each contender: rate, latency, and what one request cost each process. */
export function contenderTable(title: string, what: string, contenders: readonly Contender[]): ResultTable {
  return {
    title,
    columns: [
      '',
      `${what}/s`,
      'p50 ms',
      'p99 ms',
      `CPU µs of one ${what.replace(/s$/, '')}`,
      'peak memory MB',
    ],
    rows: contenders.map(({ label, runs }) => {
      const middle = (read: (run: Run) => number | undefined, digits: number): string => {
        const value = median(runs.flatMap((run) => read(run) ?? []));
        return Number.isNaN(value) ? '' : value.toFixed(digits);
      };
      const uses = mergedUse(runs);
      return [
        label,
        middle(({ perSecond }) => perSecond, 0),
        middle(({ p50 }) => p50, 1),
        middle(({ p99 }) => p99, 1),
        uses.map(({ name, micros }) => `${name} ${micros.toFixed(0)}`).join(', '),
        uses.map(({ name, megabytes }) => `${name} ${megabytes.toFixed(0)}`).join(', '),
      ];
    }),
  };
}

/** A bar for each contender's rate, Ponte's own first. */
export function rateChart(name: string, title: string, contenders: readonly Contender[]): BarChart {
  const bars = contenders.map(({ label, runs }, index) => ({
    label: label.replaceAll('`', ''),
    value: median(runs.map(({ perSecond }) => perSecond)),
    ours: index === 0,
  }));
  return { name, title, unit: '/s', bars };
}

/** What processes used in all runs together, with the highest peak. */
export function totalUse(runs: readonly Run[]): ProcessUse[] {
  const names = new Set(runs.flatMap(({ use }) => use.map(({ name }) => name)));
  return [...names].map((name) => {
    const own = runs.flatMap(({ use }) => use.filter((one) => one.name === name));
    return {
      name,
      cpuSeconds: own.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      peakMegabytes: Math.max(...own.map(({ peakMegabytes }) => peakMegabytes)),
    };
  });
}

function mergedUse(runs: readonly Run[]): { name: string; micros: number; megabytes: number }[] {
  const count = runs.reduce((sum, run) => sum + run.count, 0);
  return totalUse(runs).map(({ name, cpuSeconds, peakMegabytes }) => ({
    name,
    micros: (cpuSeconds / count) * 1e6,
    megabytes: peakMegabytes,
  }));
}
