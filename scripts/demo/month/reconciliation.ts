import { table } from '../table';
import type { Figure, LeftToPerson } from './expected';
import { decimal, sum } from './facts';

/** One amount as it should be and as it is. */
export interface ReconciledFigure {
  readonly section: string;
  readonly what: string;
  readonly expected: bigint;
  readonly booked: bigint;
}

/** What a person is asked to deal with, of one kind. */
export interface ReconciledLeft {
  readonly code: string;
  readonly expected: readonly LeftToPerson[];
  readonly found: readonly LeftToPerson[];
}

export interface Reconciliation {
  readonly figures: readonly ReconciledFigure[];
  readonly left: readonly ReconciledLeft[];
  /** Whether everything agrees to the cent. */
  readonly agrees: boolean;
}

/** Compares what must be with what is. Amounts of one name are added up; what only one side has, the other has as zero. */
export function reconcile(
  expected: { figures: readonly Figure[]; left: readonly LeftToPerson[] },
  booked: { figures: readonly Figure[]; left: readonly LeftToPerson[] },
): Reconciliation {
  const names = new Map([...expected.figures, ...booked.figures].map((one) => [nameOf(one), one]));
  const total = (figures: readonly Figure[], name: string): bigint =>
    sum(figures.filter((figure) => nameOf(figure) === name).map(({ cents }) => cents));
  const figures = [...names].map(([name, { section, what }]) => ({
    ...{ section, what, expected: total(expected.figures, name), booked: total(booked.figures, name) },
  }));
  const codes = [...new Set([...expected.left, ...booked.left].map(({ code }) => code))].sort();
  const left = codes.map((code) => ({
    code,
    expected: sortedOf(expected.left, code),
    found: sortedOf(booked.left, code),
  }));
  const agrees =
    figures.every((figure) => figure.expected === figure.booked) &&
    left.every((one) => JSON.stringify(one.expected) === JSON.stringify(one.found));
  return { figures, left, agrees };
}

function nameOf({ section, what }: Figure): string {
  return `${section}\n${what}`;
}

function sortedOf(left: readonly LeftToPerson[], wanted: string): LeftToPerson[] {
  return left
    .filter(({ code }) => code === wanted)
    .map(({ code, businessKey, value }) => ({ code, businessKey, value }))
    .sort((one, other) =>
      `${one.businessKey} ${one.value}`.localeCompare(`${other.businessKey} ${other.value}`),
    );
}

/** The reconciliation as an accountant reads it. */
export function reconciliationReport({ figures, left }: Reconciliation): string {
  const shown = figures.filter(({ expected, booked }) => expected !== 0n || booked !== 0n);
  return [
    table(
      'Reconciliation (R$)',
      ['of', 'what', 'expected', 'booked', 'difference'],
      shown.map(({ section, what, expected, booked }, index) => [
        shown[index - 1]?.section === section ? '' : section,
        what,
        ...[expected, booked, booked - expected].map(decimal),
      ]),
    ),
    table(
      'Left to a person',
      ['why', 'expected', 'found', 'value'],
      left.map(({ code, expected, found }) => [
        code,
        String(expected.length),
        String(found.length),
        decimal(sum(found.map(({ value }) => BigInt(value.replace('.', ''))))),
      ]),
    ),
  ].join('\n');
}
