import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { dayOf, moneyOf, type RemoteScheduleView } from './remote-reads';

/** A schedule that a creation makes. */
export interface ExpectedSchedule {
  readonly value: Money;
  readonly dueDate: CalendarDate;
}

/** What a creation with this body makes; undefined when that cannot be told. */
export function expectedOf(
  body: Readonly<Record<string, unknown>>,
  organization: Organization,
): ExpectedSchedule[] | undefined {
  if (body['recurrence'] != null) return undefined;
  const instalments = body['instalment'];
  const parts: unknown[] = Array.isArray(instalments) && instalments.length > 0 ? instalments : [body];
  const expected = parts.flatMap((part) => {
    const { value, dueDate } = part as Readonly<Record<string, unknown>>;
    const money = moneyOf(value, organization.currency);
    const day = dayOf(dueDate, organization.timeZone);
    return money && day ? [{ value: money, dueDate: day }] : [];
  });
  return expected.length === parts.length ? expected : undefined;
}

/** The schedules that are like one of those expected, by due date and then in the order of creation. */
export function alikeSchedules(
  schedules: readonly RemoteScheduleView[],
  expected: readonly ExpectedSchedule[],
  reference: string | undefined,
): RemoteScheduleView[] {
  const keys = new Set(expected.map(matchKeyOf));
  return schedules
    .filter((schedule) => reference === undefined || schedule.reference === reference)
    .filter((schedule) => keys.has(matchKeyOf(schedule)))
    .toSorted((left, right) => left.dueDate.compare(right.dueDate) || (left.id < right.id ? -1 : 1));
}

/**
 * The schedules that may be one of those expected: they are like one, or have their reference. A service may cut
 * references off or leave them out, and people change what they find.
 */
export function resembling(
  schedules: readonly RemoteScheduleView[],
  expected: readonly ExpectedSchedule[],
  reference: string | undefined,
): RemoteScheduleView[] {
  const keys = new Set(expected.map(matchKeyOf));
  return schedules.filter((schedule) => {
    const isAlike = keys.has(matchKeyOf(schedule));
    if (reference === undefined) return isAlike;
    return schedule.reference === reference || (isAlike && reference.startsWith(schedule.reference ?? ''));
  });
}

/** Whether the schedules are those expected, each once, to the cent and the day. */
export function areExactly(
  schedules: readonly RemoteScheduleView[],
  expected: readonly ExpectedSchedule[],
): boolean {
  const [found, wanted] = [schedules, expected].map((all) => all.map(matchKeyOf).toSorted());
  return found?.join() === wanted?.join();
}

function matchKeyOf({ value, dueDate }: ExpectedSchedule): string {
  return `${value.toString()} on ${dueDate.toString()}`;
}
