import type { CalendarDate } from '../../../kernel/calendar-date';
import { formatMinor, Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { Problem, unacceptable } from '../../../kernel/problem';
import { type DueDates, type RecurrenceRule, stepFrom } from './recurrence';
import { MAX_INSTALMENTS } from '../../api/shapes/schedules.dto';

export interface NewInstalment {
  value: Money;
  dueDate: CalendarDate;
  /** Absent: the schedule's, with ` - 1/3`. */
  description?: string;
}

/** That a receivable comes again: the rule, and the dates that become schedules at once, the first among them. */
export interface NewRecurrence extends DueDates {
  rule: RecurrenceRule;
}

/** A receivable on the way to the books. */
export interface NewCreditSchedule {
  /** UUIDs made beforehand, one for each schedule: see {@link partsOf}. */
  ids: readonly string[];
  organization: Organization;
  /** UUID of a customer or partner. */
  stakeholderId: string;
  description: string;
  reference?: string;
  value: Money;
  scheduleDate: CalendarDate;
  dueDate: CalendarDate;
  /** When it counts as income: all instalments on this day, the first date of a recurrence. Absent: when it is due. */
  accrualDate?: CalendarDate;
  /** UUID or reference code. */
  category?: string;
  /** UUID or external code. */
  costCenter?: string;
  isFlagged: boolean;
  /** Empty: one schedule of the whole value. */
  instalments: readonly NewInstalment[];
  /** Never beside instalments; each occurrence is a schedule of the whole value. */
  recurrence?: NewRecurrence;
}

/** One schedule as it will be stored. */
export interface SchedulePart {
  id: string;
  value: Money;
  dueDate: CalendarDate;
  /** Absent: the due date. */
  accrualDate?: CalendarDate;
  description: string;
  /** Shared by what one creation made: the UUID of the first. */
  groupId: string;
  /** From 1. */
  instalment: number;
  instalmentCount: number;
  /** Which one of which recurrence, from 1. */
  occurrence?: { recurrenceId: string; number: number };
}

/** The schedules that a new receivable becomes: itself, or one for each instalment or date of its recurrence. */
export function partsOf(schedule: NewCreditSchedule): SchedulePart[] {
  return schedule.recurrence
    ? occurrencesOf(schedule, schedule.recurrence, { recurrenceId: idAt(schedule, 0), made: 0 })
    : instalmentsOf(schedule);
}

/**
 * Occurrences of a recurrence as schedules. A recurrence has the UUID of its first schedule.
 * @param made how many it has already
 */
export function occurrencesOf(
  schedule: Pick<NewCreditSchedule, 'ids' | 'value' | 'description' | 'accrualDate'>,
  { rule, dates }: Pick<NewRecurrence, 'rule' | 'dates'>,
  { recurrenceId, made }: { recurrenceId: string; made: number },
): SchedulePart[] {
  const { value, description, accrualDate } = schedule;
  return dates.map((dueDate, index) => ({
    id: idAt(schedule, index),
    value,
    dueDate,
    accrualDate: accrualDate && stepFrom(accrualDate, rule, made + index),
    description,
    groupId: recurrenceId,
    instalment: 1,
    instalmentCount: 1,
    occurrence: { recurrenceId, number: made + index + 1 },
  }));
}

function instalmentsOf(schedule: NewCreditSchedule): SchedulePart[] {
  const { instalments, description, value, dueDate, accrualDate } = schedule;
  const parts = instalments.length > 0 ? instalments : [{ value, dueDate }];
  return parts.map((part: NewInstalment, index) => {
    const numbered = [description, `${index + 1}/${parts.length}`].filter(Boolean).join(' - ');
    return {
      id: idAt(schedule, index),
      value: part.value,
      dueDate: part.dueDate,
      accrualDate,
      description: part.description ?? (parts.length > 1 ? numbered : description),
      groupId: idAt(schedule, 0),
      instalment: index + 1,
      instalmentCount: parts.length,
    };
  });
}

function idAt({ ids }: Pick<NewCreditSchedule, 'ids'>, index: number): string {
  const id = ids[index];
  if (id === undefined) throw new Error('a receivable needs an identifier for each of its schedules');
  return id;
}

/** What can be said of a new receivable without looking anything up; undefined when nothing is wrong. */
export function problemOf({ value, instalments }: NewCreditSchedule): Problem | undefined {
  if (!value.isPositive) return unacceptable('/value', 'positive', 'the value must be more than 0');
  if (instalments.length > MAX_INSTALMENTS) {
    return unacceptable('/instalment', 'list', `there may be at most ${MAX_INSTALMENTS} instalments`);
  }
  const index = instalments.findIndex((instalment) => !instalment.value.isPositive);
  if (index >= 0)
    return unacceptable(
      `/instalment/${index}/value`,
      'positive',
      'the value of an instalment must be more than 0',
    );
  return instalments.length > 0 ? mismatch(value, instalments) : undefined;
}

function mismatch(value: Money, instalments: readonly NewInstalment[]): Problem | undefined {
  const sum = instalments.reduce((total, instalment) => total + instalment.value.minor, 0n);
  if (sum === value.minor) return undefined;
  const exponent = Money.exponentOf(value.currency);
  const [total, difference] = [formatMinor(sum, exponent), formatMinor(value.minor - sum, exponent)];
  const message =
    `the instalments add up to ${total}, which is not the value ${value.toString()}: ` +
    `the difference is ${difference}`;
  return new Problem('instalments-mismatch', message, {
    errors: [{ pointer: '/instalment', code: 'sum', message }],
    members: { difference: Number(difference) },
  });
}
