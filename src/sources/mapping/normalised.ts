import type { CanonicalEvent } from '../../events/event';
import type { Unbooked } from '../../events/unbooked';
import type { Money } from '../../kernel/money';
import type { Normalised } from '../source';

/** Events, or why there are none. @param key as {@link Normalised} has it; undefined: nothing says which entity it is about */
export function eventsOr(events: CanonicalEvent[], ignored: string, key?: string): Normalised {
  if (events.length > 0) return { events };
  return key === undefined ? { ignored } : { ignored, key };
}

/** What may be said of money that a person has to see to. */
interface Asked {
  /** Of a test nobody is asked. */
  readonly test?: boolean;
  /** Absent: an order differs. */
  readonly code?: Unbooked['code'];
  /** Why the delivery means nothing; absent: the detail says it. */
  readonly ignored?: string;
}

/**
 * Leaves money of which nothing is booked to a person.
 * @param detail a sentence with the amount and without personal data
 */
export function askPerson(
  businessKey: string,
  detail: string,
  value: Money,
  { test = false, code = 'order-differs', ignored = detail }: Asked = {},
): { ignored: string; unbooked?: Unbooked[] } {
  return { ignored, ...(!test && { unbooked: [{ businessKey, code, detail, value }] }) };
}
