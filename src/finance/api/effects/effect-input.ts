import { CalendarDate, CalendarDateError } from '../../../kernel/calendar-date';
import { readInstant as instantOf } from '../../../kernel/instant';
import { isUuid } from '../../../kernel/identifier';
import { Money, MoneyError } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import type { Outcome } from '../ports/outcome';
import { TextError, tidyText } from '../shapes/text';
import { isReference, type Reference } from './reference';

/*
 * Reading of effect inputs. Rules are checked when they are saved, but what they map comes from shops: a value
 * that cannot be kept is a refusal with a sentence for a person, in which the value itself does not appear.
 */

/** Runs a reading; the problem it throws becomes its outcome. */
export function attempt<T>(read: () => T): Outcome<T> {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** @throws Problem */
export function readMoney(field: string, text: string, { currency }: Pick<Organization, 'currency'>): Money {
  return reading(field, MoneyError, () => Money.parse(text, currency));
}

/** An amount above zero. @throws Problem */
export function readPositive(field: string, text: string, organization: Organization): Money {
  const money = readMoney(field, text, organization);
  if (!money.isPositive) throw refused(field, 'must be more than 0');
  return money;
}

/** From `YYYY-MM-DD`. @throws Problem */
export function readDay(field: string, text: string): CalendarDate {
  return reading(field, CalendarDateError, () => CalendarDate.parse(text));
}

/** From ISO 8601 with an offset. @throws Problem */
export function readInstant(field: string, text: string): Date {
  const instant = instantOf(text);
  if (instant === undefined) throw refused(field, 'is no ISO 8601 date and time with an offset');
  return instant;
}

/** Tidied text; undefined when nothing is left of it. @throws Problem when it is too long */
export function readText(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return reading(field, TextError, () => tidyText(text)) || undefined;
}

/** @throws Problem when there is no text */
export function readRequired(field: string, text: string | undefined): string {
  const read = readText(field, text);
  if (read === undefined) throw refused(field, 'is missing');
  return read;
}

/** A record's code or identifier. @throws Problem when there is no text */
export function readName(field: string, value: string | Reference): string {
  return readRequired(field, filled(value));
}

/** A record's identifier, in lower case. @throws Problem */
export function readId(field: string, value: string | Reference): string {
  const id = filled(value);
  if (!isUuid(id)) throw refused(field, 'is not the identifier of a record');
  return id.toLowerCase();
}

/** Records' identifiers in lower case, none twice. @throws Problem */
export function readIds(field: string, values: string | string[] | Reference): string[] {
  return [...new Set([filled(values)].flat().map((value) => readId(field, value)))];
}

/** @throws Error for a reference, which the caller of an applier must have filled in */
function filled<T>(value: T | Reference): T {
  if (isReference(value)) throw new Error(`the reference ${value.$ref} was not filled in`);
  return value;
}

function reading<T>(field: string, expected: new (message: string) => Error, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof expected) throw refused(field, `cannot be used: ${error.message}`);
    throw error;
  }
}

function refused(field: string, message: string): Problem {
  return new Problem('validation-failed', `the ${field} ${message}`);
}
