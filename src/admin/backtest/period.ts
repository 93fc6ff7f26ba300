import { CalendarDate } from '../../kernel/calendar-date';
import { INSTANT_FORM, readInstant } from '../../kernel/instant';
import type { Organization } from '../../kernel/organization';
import { unacceptable } from '../../kernel/problem';
import { midnightOf } from '../../kernel/time-zone';

/** A span of time: from an instant on, and before another one. */
export interface Period {
  from: Date;
  to: Date;
}

/**
 * The span that two texts mean, each a day in the organization's time zone or an instant with its offset. As a day, `to` is
 * part of the span.
 * @throws Problem validation-failed
 */
export function readPeriod(texts: { from: string; to: string }, organization: Organization): Period {
  const [from, to] = [
    readEnd('/from', texts.from, 0, organization),
    readEnd('/to', texts.to, 1, organization),
  ];
  if (from >= to) throw unacceptable('/from', 'span', 'from must be before to');
  return { from, to };
}

/** @param daysOn how many days after its own a day ends the span, or begins it */
function readEnd(pointer: string, text: string, daysOn: number, { timeZone }: Organization): Date {
  const instant = CalendarDate.isDay(text)
    ? new Date(midnightOf(CalendarDate.parse(text).addDays(daysOn).toString(), timeZone))
    : readInstant(text);
  if (instant) return instant;
  throw unacceptable(pointer, 'instant', `must be a day such as 2026-01-31, or ${INSTANT_FORM}`);
}
