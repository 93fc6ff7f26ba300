import { type CalendarDate, CalendarDateError } from '../../../kernel/calendar-date';
import type { IntervalType } from '../../api/shapes/interval-type';

/** How often a receivable falls due again, and until when. Without both limits it never ends. */
export interface RecurrenceRule {
  intervalType: IntervalType;
  /** Every so many days, weeks, months or years; from 1. */
  interval: number;
  /** All other dates are reckoned from this one. */
  firstDueDate: CalendarDate;
  /** How many there will be. */
  occurrences?: number;
  /** The last day on which one may fall due. */
  endDate?: CalendarDate;
}

/** Some dates of a recurrence, in order, and the one after them. */
export interface DueDates {
  dates: CalendarDate[];
  /** Absent: there are no more. */
  next?: CalendarDate;
}

/** Occurrences exist as schedules this many months ahead. */
const MONTHS_AHEAD = 12;

/** The last due date that is to exist as a schedule, `today` being the organization's. */
export function horizonFrom(today: CalendarDate): CalendarDate {
  return today.addMonths(MONTHS_AHEAD);
}

/**
 * When an occurrence is due, reckoned from the first date so that it never drifts: 31 January, 28 February,
 * 31 March.
 * @param index from 0
 * @returns undefined when the recurrence has ended, or the calendar (year 9999) has
 */
export function dueDateOf(rule: RecurrenceRule, index: number): CalendarDate | undefined {
  if (rule.occurrences !== undefined && index >= rule.occurrences) return undefined;
  const date = stepFrom(rule.firstDueDate, rule, index);
  return date && rule.endDate && date.compare(rule.endDate) > 0 ? undefined : date;
}

/**
 * The dates after the first `made` that are due up to the horizon.
 * @param least so many are given even when they lie beyond the horizon
 * @param most no more than this are given
 */
export function dueDatesUntil(
  rule: RecurrenceRule,
  horizon: CalendarDate,
  { made, least = 0, most }: { made: number; least?: number; most: number },
): DueDates {
  const dates: CalendarDate[] = [];
  let next = dueDateOf(rule, made);
  while (next && dates.length < most && (dates.length < least || next.compare(horizon) <= 0)) {
    dates.push(next);
    next = dueDateOf(rule, made + dates.length);
  }
  return { dates, next };
}

/** The day that is `index` intervals after one; undefined where the calendar has ended. */
export function stepFrom(
  first: CalendarDate,
  { intervalType, interval }: Pick<RecurrenceRule, 'intervalType' | 'interval'>,
  index: number,
): CalendarDate | undefined {
  const steps = interval * index;
  try {
    switch (intervalType) {
      case 'day':
        return first.addDays(steps);
      case 'week':
        return first.addDays(steps * 7);
      case 'month':
        return first.addMonths(steps);
      case 'year':
        return first.addMonths(steps * 12);
    }
  } catch (error) {
    if (error instanceof CalendarDateError) return undefined;
    throw error;
  }
}
