import type { CalendarDate } from '../../kernel/calendar-date';
import { isTimeZone } from '../../kernel/time-zone';
import type { Payload } from '../payload';

/** A Yampi time is `{"date": "2026-07-15 10:42:33.000000", "timezone": "America/Sao_Paulo"}`, in some places the text alone. */
function timeOf(place: Payload, key: string, zone: string): [place: Payload, key: string, zone: string] {
  if (place.textIfAny(key) !== undefined) return [place, key, zone];
  const time = place.at(key);
  const own = time.textIfAny('timezone');
  return [time, 'date', own !== undefined && isTimeZone(own) ? own : zone];
}

/** A point in time. @param zone IANA zone for a time that names none */
export function instantOf(place: Payload, key: string, zone: string): Date | undefined {
  const [time, member, own] = timeOf(place, key, zone);
  return time.instant(member, own);
}

/** A day, for example that on which a boleto is due. @param zone IANA zone for a time that names none */
export function dayOf(place: Payload, key: string, zone: string): CalendarDate | undefined {
  const [time, member, own] = timeOf(place, key, zone);
  return time.day(member, own);
}
