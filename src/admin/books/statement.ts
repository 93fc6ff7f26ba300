import type { Settlement } from '../../finance/api/ports/book-details.port';
import type { CalendarDate } from '../../kernel/calendar-date';
import { grouped } from '../../kernel/grouped';
import type { STATEMENT_LINES, StatementTotals } from './books.dto';

/** A receivable as a statement is made of it. Amounts are minor units. */
export interface BookedReceivable {
  id: string;
  /** The day of booking. */
  date: CalendarDate;
  dueDate: CalendarDate;
  description: string;
  reference: string | null;
  minor: bigint;
  openMinor: bigint;
}

/** A line of a statement. Amounts are minor units. */
export interface Line {
  /** By which lines are ordered, another for every line. */
  key: string;
  id: string;
  type: (typeof STATEMENT_LINES)[number];
  date: CalendarDate | null;
  description: string;
  schedule: string;
  dueDate: CalendarDate | null;
  /** Below zero where it settles. */
  minor: bigint;
  /** What is owed after it. */
  openMinor: bigint;
  reference: string | null;
  identifier: string | null;
}

export type Totals = Record<keyof StatementTotals, bigint>;

/** All that a customer was to pay, and what came of it. */
export interface Statement {
  /** The earliest first. */
  lines: Line[];
  totals: Totals;
}

/** After what of one day: a receivable comes before what settles it. */
const RANKS: Readonly<Record<Line['type'], number>> = {
  receivable: 0,
  receipt: 1,
  discount: 2,
  difference: 3,
};

/**
 * The statement of a customer. What was settled without a settlement that is listed becomes a line of its own, after the
 * last of its receivable, so that the last line always has what is open. A receivable that was booked after something was received
 * on it stands on that earlier day: nothing is received that nobody owes.
 */
export function statementOf(
  receivables: readonly BookedReceivable[],
  settlements: readonly Settlement[],
  today: CalendarDate,
): Statement {
  const bySchedule = grouped(settlements, ({ schedule }) => schedule);
  const lines = receivables
    .flatMap((receivable) => linesOf(receivable, bySchedule.get(receivable.id) ?? []))
    .sort((left, right) => (left.key < right.key ? -1 : 1));
  let openMinor = 0n;
  for (const line of lines) {
    openMinor += line.minor;
    line.openMinor = openMinor;
  }
  const settledBy = (...types: Line['type'][]): bigint =>
    -sum(lines.filter(({ type }) => types.includes(type)).map(({ minor }) => minor));
  const overdue = receivables.filter(({ dueDate }) => dueDate.compare(today) < 0);
  return {
    lines,
    totals: {
      booked: sum(receivables.map(({ minor }) => minor)),
      received: settledBy('receipt'),
      discounts: settledBy('discount', 'difference'),
      open: sum(receivables.map((receivable) => receivable.openMinor)),
      overdue: sum(overdue.map((receivable) => receivable.openMinor)),
    },
  };
}

function linesOf(receivable: BookedReceivable, settlements: readonly Settlement[]): Line[] {
  const { id, date, dueDate, description, reference, minor } = receivable;
  const booked = { id, type: 'receivable' as const, date, description, minor, reference, identifier: null };
  const settled = settlements.map(({ kind, minor: settledMinor, ...settlement }) =>
    lineOf(id, settlement.date, { ...settlement, type: kind, minor: -settledMinor, dueDate: null }),
  );
  const difference = receivable.openMinor - minor - sum(settled.map((line) => line.minor));
  const days = [date, ...settlements.map((settlement) => settlement.date)];
  const last = days.reduce((latest, day) => (day.compare(latest) > 0 ? day : latest));
  // Of a sale of the past, booked today with the receipts of its days.
  const first = days.reduce((earliest, day) => (day.compare(earliest) < 0 ? day : earliest));
  const rest = { ...booked, type: 'difference' as const, date: null, minor: difference, dueDate: null };
  return [
    lineOf(id, first, { ...booked, date: first, dueDate }),
    ...settled,
    ...(difference === 0n ? [] : [lineOf(id, last, rest)]),
  ];
}

/** @param day by which it is ordered */
function lineOf(
  schedule: string,
  day: CalendarDate,
  line: Omit<Line, 'key' | 'openMinor' | 'schedule'>,
): Line {
  const { id, type, date, description, dueDate, minor, reference, identifier } = line;
  const key = [day.toString(), schedule, RANKS[type], id].join('/');
  return { key, id, type, date, description, schedule, dueDate, minor, openMinor: 0n, reference, identifier };
}

function sum(minors: readonly bigint[]): bigint {
  return minors.reduce((total, minor) => total + minor, 0n);
}
