import { beginningOf } from '../instant';
import type { Payload } from '../payload';
import type { DateZones } from '../source';

/** The beginning of a day: Asaas says of most things the day alone. A time is taken as it is. */
export function instantOf(place: Payload, key: string, zones: DateZones): Date | undefined {
  const text = place.text(key);
  if (text === undefined || text.length > 10) return place.instant(key, zones.timeZone);
  const day = place.day(key, zones.timeZone);
  return day && beginningOf(day, zones);
}
