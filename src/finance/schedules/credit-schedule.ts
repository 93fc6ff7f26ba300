import type { CalendarDate } from '../../kernel/calendar-date';
import { formatMinor, Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { unacceptable } from '../outcome';
import { MAX_INSTALMENTS } from './schedules.dto';

export interface NewInstalment {
  value: Money;
  dueDate: CalendarDate;
  /** Absent: the schedule's, with ` - 1/3`. */
  description?: string;
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
  /** UUID or reference code. */
  category?: string;
  /** UUID or external code. */
  costCenter?: string;
  isFlagged: boolean;
  /** Empty: one schedule of the whole value. */
  instalments: readonly NewInstalment[];
}

/** One schedule as it will be stored. */
export interface SchedulePart {
  id: string;
  value: Money;
  dueDate: CalendarDate;
  description: string;
  /** From 1. */
  instalment: number;
}

/** The schedules that a new receivable becomes: itself, or one for each instalment. */
export function partsOf(schedule: NewCreditSchedule): SchedulePart[] {
  const { instalments, description, value, dueDate } = schedule;
  const parts = instalments.length > 0 ? instalments : [{ value, dueDate }];
  return parts.map((part: NewInstalment, index) => {
    const id = schedule.ids[index];
    if (id === undefined) throw new Error('a schedule needs an identifier for each instalment');
    const numbered = [description, `${index + 1}/${parts.length}`].filter(Boolean).join(' - ');
    return {
      id,
      value: part.value,
      dueDate: part.dueDate,
      description: part.description ?? (parts.length > 1 ? numbered : description),
      instalment: index + 1,
    };
  });
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
