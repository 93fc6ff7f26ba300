import { beginningOf } from '../instant';
import type { Payload } from '../payload';

/** The beginning of a day: Asaas says of most things the day alone. A time is taken as it is. */
export function instantOf(place: Payload, key: string, zone: string): Date | undefined {
  const text = place.text(key);
  if (text === undefined || text.length > 10) return place.instant(key, zone);
  const day = place.day(key, zone);
  return day && beginningOf(day, zone);
}
