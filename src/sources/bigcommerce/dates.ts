import { parseInstant } from '../instant';
import type { Payload } from '../payload';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const RFC_2822 =
  /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) (GMT|UTC?|[+-]\d{4})$/;

/** `Tue, 05 Mar 2019 21:40:11 +0000` as an instant; undefined when the text is no such time. */
export function parseRfc2822(text: string): Date | undefined {
  const [, day = '', month = '', year = '', time = '', offset = ''] = RFC_2822.exec(text) ?? [];
  const number = MONTHS.indexOf(month) + 1;
  if (number === 0) return undefined;
  const date = `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return parseInstant(`${date}T${time}${/^\D{2,3}$/.test(offset) ? 'Z' : offset}`, 'UTC');
}

/** A time of the orders' API, which is RFC 2822, or of the newer API, which is ISO 8601. @throws UnreadablePayload */
export function instantOf(place: Payload, key: string, zone: string): Date | undefined {
  const text = place.text(key);
  return text === undefined ? undefined : (parseRfc2822(text) ?? place.instant(key, zone));
}
