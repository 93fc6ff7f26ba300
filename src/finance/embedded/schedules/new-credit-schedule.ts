import type { CalendarDate } from '../../../kernel/calendar-date';
import { newId } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { type Problem, unacceptable } from '../../../kernel/problem';
import type { NewCreditSchedule, NewRecurrence } from './credit-schedule';
import { dueDatesUntil, horizonFrom, type RecurrenceRule } from './recurrence';
import type { CreditScheduleShape, RecurrenceShape } from '../../api/shapes/schedules.dto';

/** More schedules than this from one request are a mistake in its first date. */
export const MAX_MADE_AT_ONCE = 1_000;
const MAX_OCCURRENCES = 360;

/**
 * What the body of operation 2 asks for.
 * @param today the organization's
 * @throws Problem `validation-failed` when the recurrence is not acceptable
 */
export function toNewCreditSchedule(
  organization: Organization,
  shape: CreditScheduleShape,
  today: CalendarDate,
): NewCreditSchedule {
  const instalments = shape.instalment ?? [];
  const recurrence = toNewRecurrence(shape, today);
  const count = recurrence?.dates.length ?? Math.max(1, instalments.length);
  return {
    ids: Array.from({ length: count }, newId),
    organization,
    stakeholderId: shape.stakeholderId,
    description: shape.description ?? '',
    reference: shape.reference ?? undefined,
    value: shape.value,
    scheduleDate: shape.scheduleDate ?? today,
    dueDate: shape.dueDate,
    accrualDate: shape.accrualDate ?? undefined,
    category: shape.categoryId ?? undefined,
    costCenter: shape.costCenterId ?? undefined,
    isFlagged: shape.isFlagged ?? false,
    instalments: instalments.map(({ value, dueDate, description }) => ({
      value,
      dueDate,
      description: description ?? undefined,
    })),
    recurrence,
  };
}

function toNewRecurrence(shape: CreditScheduleShape, today: CalendarDate): NewRecurrence | undefined {
  const { recurrence, instalment, dueDate } = shape;
  if (!recurrence) return undefined;
  if (instalment && instalment.length > 0) {
    throw unacceptable('/recurrence', 'instalments', 'a recurrence cannot stand beside instalments');
  }
  const rule: RecurrenceRule = {
    intervalType: recurrence.intervalType,
    interval: recurrence.interval ?? 1,
    firstDueDate: dueDate,
    ...limitOf(recurrence, dueDate),
  };
  const due = dueDatesUntil(rule, horizonFrom(today), { made: 0, least: 1, most: MAX_MADE_AT_ONCE + 1 });
  if (due.dates.length > MAX_MADE_AT_ONCE) {
    throw unacceptable(
      '/recurrence',
      'too-many',
      `the recurrence would make more than ${MAX_MADE_AT_ONCE} schedules at once; let it begin later`,
    );
  }
  return { rule, ...due };
}

/** What the type needs; a limit that the type does not use is ignored. */
function limitOf(
  { type, occurrences, endDate }: RecurrenceShape,
  dueDate: CalendarDate,
): Pick<RecurrenceRule, 'occurrences' | 'endDate'> {
  if (type === 'ByOccurrences') {
    const name = 'occurrences';
    if (occurrences == null) throw lacking(name, 'a recurrence by occurrences needs their number');
    if (occurrences < 1 || occurrences > MAX_OCCURRENCES) {
      throw refused(name, 'range', `there must be 1 to ${MAX_OCCURRENCES} occurrences`);
    }
    return { occurrences };
  }
  if (type === 'ByDate') {
    if (endDate == null) throw lacking('endDate', 'a recurrence by date needs an end date');
    if (endDate.compare(dueDate) < 0) {
      throw refused('endDate', 'order', 'the end date must not be before the due date');
    }
    return { endDate };
  }
  return {};
}

function lacking(field: keyof RecurrenceShape, message: string): Problem {
  return refused(field, 'required', message);
}

function refused(field: keyof RecurrenceShape, code: string, message: string): Problem {
  return unacceptable(`/recurrence/${field}`, code, message);
}
