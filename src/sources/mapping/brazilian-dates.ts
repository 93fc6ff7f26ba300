import type { CalendarDate } from '../../kernel/calendar-date';
import { offsetAt } from '../../kernel/time-zone';
import { beginningOf, parseDay, parseInstant } from '../instant';
import type { Payload } from '../payload';
import type { DateZones } from '../source';

/** A day, and a time after it, as Brazilians write them: `13/07/2026 23:59`. */
const BRAZILIAN = /^(\d{2})\/(\d{2})\/(\d{4})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/;

/** The zone of services that are for companies of Brazil alone, where a source has no other. */
const BRASILIA = 'America/Sao_Paulo';

/**
 * What clocks show at an instant, to the second: `2026-07-13 23:59:00`. For requests, which know the source's own zone and not
 * that of its organization.
 * @param zone IANA zone; undefined: Brasília's
 */
export function wallTimeOf(instant: Date, zone = BRASILIA): string {
  const wall = new Date(instant.getTime() + offsetAt(instant.getTime(), zone));
  return wall.toISOString().slice(0, 19).replace('T', ' ');
}

/** A Brazilian date as ISO 8601 writes it; any other text as it is. */
export function isoOfBrazilian(text: string | undefined): string | undefined {
  const [, day, month, year, time] = BRAZILIAN.exec(text ?? '') ?? [];
  if (day === undefined) return text;
  return [`${year}-${month}-${day}`, ...(time === undefined ? [] : [time])].join(' ');
}

/**
 * The day that a field has as `13/07/2026`; undefined where it is absent.
 * @throws UnreadablePayload
 */
export function brazilianDay(place: Payload, key: string, zone: string): CalendarDate | undefined {
  const text = isoOfBrazilian(place.text(key));
  return text === undefined ? undefined : (parseDay(text, zone) ?? place.fail(key, 'is not a day'));
}

/**
 * When the day of a field begins, or the time of that day that another one has.
 * @param timeKey of a field with `23:59:00`; absent there: the beginning of the day
 * @throws UnreadablePayload
 */
export function brazilianInstant(
  place: Payload,
  key: string,
  zones: DateZones,
  timeKey?: string,
): Date | undefined {
  const day = brazilianDay(place, key, zones.timeZone);
  if (day === undefined) return undefined;
  const time = timeKey === undefined ? undefined : place.text(timeKey);
  const at =
    time === undefined ? beginningOf(day, zones) : parseInstant(`${day.toString()}T${time}`, zones.timeZone);
  return at ?? place.fail(timeKey ?? key, 'is not a time');
}
