import { MOST_LINES } from '../events/limits';
import { shortestSpelling } from '../kernel/float-spelling';
import { type ExactJson, JsonError, LosslessNumber, parseExactJson } from '../kernel/lossless-json';
import type { CalendarDate } from '../kernel/calendar-date';
import { Money, MoneyError } from '../kernel/money';
import { isIdentifier } from './identity';
import { parseDay, parseInstant } from './instant';
import { replaceUnprintable } from '../kernel/text';
import { isObject } from '../kernel/json-object';

/** Most elements that are read of all lists of one payload together. */
const MOST_ITEMS_TOGETHER = 5_000;

/** A status or kind: one word, never what a person typed. */
const WORD = /^[\w.-]{1,60}$/;
const WHOLE_NUMBER = /^-?\d+$/;

/** The payload cannot be understood. The message is for a person and holds no personal data. */
export class UnreadablePayload extends Error {
  override readonly name = 'UnreadablePayload';
}

/** @throws UnreadablePayload */
function parseJson(bytes: Uint8Array): ExactJson {
  try {
    return parseExactJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) throw new UnreadablePayload(`the body is ${error.message}`);
    throw error;
  }
}

function isNumber(value: ExactJson | undefined): value is number | LosslessNumber {
  return typeof value === 'number' || value instanceof LosslessNumber;
}

function isText(value: ExactJson | undefined): value is string | number | LosslessNumber {
  return typeof value === 'string' || isNumber(value);
}

/**
 * One place in a webhook's JSON, read field by field. `""`, `null` and absent are one and the same: undefined.
 * A field of the wrong kind is an {@link UnreadablePayload} that names its path and never its value.
 */
export class Payload {
  private readable: unknown;
  private lists: Map<string, readonly Payload[]> | undefined;

  private constructor(
    private readonly value: { [key: string]: ExactJson } | undefined,
    /** Where it is: `$.refunds[0].transactions[1]`. */
    readonly path: string,
    /** Shared by all places of one payload. */
    private readonly reading: { items: number },
  ) {}

  /** @throws UnreadablePayload when the bytes are no JSON object */
  static parse(bytes: Uint8Array): Payload {
    const value = parseJson(bytes);
    if (!isObject(value)) throw new UnreadablePayload('the body is not a JSON object');
    return new Payload(value, '$', { items: 0 });
  }

  /**
   * The objects of a JSON list, read as one payload.
   * @throws UnreadablePayload when the bytes are no list of one object at least and `most` at most
   */
  static parseList(bytes: Uint8Array, most: number): readonly Payload[] {
    const value = parseJson(bytes);
    if (!Array.isArray(value) || value.length === 0 || value.length > most)
      throw new UnreadablePayload(`the body is not a JSON list of 1 to ${most} objects`);
    const reading = { items: value.length };
    return value.map((item, index) => {
      if (!isObject(item)) throw new UnreadablePayload(`$[${index}] is not an object`);
      return new Payload(item, `$[${index}]`, reading);
    });
  }

  /** The object below `key`; one that is absent reads as empty. PHP writes an empty object as `[]`. */
  at(key: string): Payload {
    const value = this.field(key);
    const isAbsent = value === undefined || (Array.isArray(value) && value.length === 0);
    const members = isObject(value) ? value : undefined;
    if (!isAbsent && members === undefined) this.fail(key, 'is not an object');
    return new Payload(members, `${this.path}.${key}`, this.reading);
  }

  /** Like {@link at}, for places where others put what they like: anything but an object reads as empty. */
  loosely(key: string): Payload {
    const value = this.field(key);
    return new Payload(isObject(value) ? value : undefined, `${this.path}.${key}`, this.reading);
  }

  /**
   * The objects in the list below `key`; none when it is absent.
   * @param most a longer list (of lines, fees, transactions) is unreadable: work on it would hold up everybody else's
   */
  items(key: string, most = MOST_LINES): readonly Payload[] {
    this.bound(key, this.countOf(key), most);
    return this.firstItems(key, most);
  }

  /** Like {@link items}, for lists that may be cut short: no more than the first `most` objects. */
  firstItems(key: string, most: number): readonly Payload[] {
    const known = this.lists?.get(key);
    if (known) return known;
    const items = this.readItems(key, most);
    (this.lists ??= new Map<string, readonly Payload[]>()).set(key, items);
    return items;
  }

  /** How many elements the list below `key` has; 0 when it is absent or no list. */
  countOf(key: string): number {
    const value = this.field(key);
    return Array.isArray(value) ? value.length : 0;
  }

  /** The texts in the list below `key`, blank ones left out; none when it is absent. */
  texts(key: string): string[] {
    const value = this.field(key) ?? [];
    if (!Array.isArray(value)) return this.fail(key, 'is not a list');
    this.bound(key, value.length, MOST_LINES);
    return value.flatMap((item, index) => {
      if (item === null) return [];
      if (!isText(item)) return this.fail(`${key}[${index}]`, 'is not text');
      return printable(String(item)) || [];
    });
  }

  /** Text, or a number's digits as they were sent; trimmed, what cannot be printed taken out. */
  text(key: string): string | undefined {
    return this.textOf(key, this.field(key));
  }

  /** Like {@link text}, for fields whose kind is up to others: anything but text reads as absent. */
  textIfAny(key: string): string | undefined {
    const value = this.field(key);
    return isText(value) ? this.textOf(key, value) : undefined;
  }

  /** One word of a provider's vocabulary, such as a status: fit to be shown in a reason. */
  word(key: string): string | undefined {
    const text = this.text(key);
    return text === undefined || WORD.test(text) ? text : this.fail(key, 'is not a word');
  }

  /** An identifier as text, exact to the last digit. */
  identifier(key: string): string | undefined {
    const value = this.field(key);
    const text = this.textOf(key, value);
    if (text === undefined) return undefined;
    const fits = isIdentifier(text) && (!isNumber(value) || WHOLE_NUMBER.test(text));
    return fits ? text : this.fail(key, 'is not an identifier');
  }

  /**
   * Exact money from decimal text or a JSON number, never rounded. A number that its sender printed with all the digits of a
   * float is the amount of that float.
   */
  money(key: string, currency: string): Money | undefined {
    const value = this.field(key);
    const text = this.textOf(key, value);
    if (text === undefined) return undefined;
    try {
      return Money.parse(isNumber(value) ? shortestSpelling(text) : text, currency);
    } catch (error) {
      if (error instanceof MoneyError)
        return this.fail(key, `is not an amount of ${currency}: ${error.message}`);
      throw error;
    }
  }

  /** Like {@link money}, and refuses less than nothing. */
  amount(key: string, currency: string): Money | undefined {
    const money = this.money(key, currency);
    return money?.isNegative ? this.fail(key, 'is negative') : money;
  }

  /** ISO 4217 code, in upper case. */
  currency(key: string): string | undefined {
    const code = this.text(key)?.toUpperCase();
    return code === undefined || /^[A-Z]{3}$/.test(code) ? code : this.fail(key, 'is not an ISO 4217 code');
  }

  /** A point in time. @param timeZone IANA zone for a time that comes without an offset */
  instant(key: string, timeZone: string): Date | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    return parseInstant(text, timeZone) ?? this.fail(key, 'is not an ISO 8601 date and time');
  }

  /** A day; a time with an offset is the day it is then in the zone. @param timeZone IANA zone */
  day(key: string, timeZone: string): CalendarDate | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    return parseDay(text, timeZone) ?? this.fail(key, 'is not a day, for example 2026-01-31');
  }

  /** Whether the field is there, whatever it holds. */
  has(key: string): boolean {
    return this.field(key) !== undefined;
  }

  /** Whether the field is a JSON number rather than text. */
  isNumber(key: string): boolean {
    return isNumber(this.field(key));
  }

  /** True or false; false when absent. */
  flag(key: string): boolean {
    const value = this.field(key) ?? false;
    return typeof value === 'boolean' ? value : this.fail(key, 'is neither true nor false');
  }

  /**
   * Refuses a payload that has one of these fields: it is of another kind than its topic says. Shops sign the
   * body alone, so a body that was signed under one topic can be sent again under another.
   */
  refuseFields(keys: readonly string[], kind: string): void {
    for (const key of keys) if (this.field(key) !== undefined) this.fail(key, `is no field of a ${kind}`);
  }

  /** Stops with "is missing": for fields that cannot be done without. */
  missing(key: string): never {
    return this.fail(key, 'is missing');
  }

  /** @throws UnreadablePayload that names the field's path */
  fail(key: string, complaint: string): never {
    throw new UnreadablePayload(`${this.path}.${key} ${complaint}`);
  }

  /**
   * The same JSON for rules to read: numbers as decimal text, characters that databases refuse replaced by
   * U+FFFD, and without keys named `__proto__`, which no rule may reach.
   */
  raw(): unknown {
    return (this.readable ??= plain(this.value ?? null));
  }

  private bound(key: string, length: number, most: number): void {
    if (length > most) this.fail(key, `has ${length} elements; at most ${most} are read`);
  }

  private readItems(key: string, most: number): Payload[] {
    const value = this.field(key);
    if (value === undefined) return [];
    if (!Array.isArray(value)) return this.fail(key, 'is not a list');
    const first = value.slice(0, most);
    this.reading.items += first.length;
    if (this.reading.items > MOST_ITEMS_TOGETHER)
      this.fail(key, `and the lists before it have more than ${MOST_ITEMS_TOGETHER} elements together`);
    return first.map((item, index) => {
      if (!isObject(item)) return this.fail(`${key}[${index}]`, 'is not an object');
      return new Payload(item, `${this.path}.${key}[${index}]`, this.reading);
    });
  }

  private textOf(key: string, value: ExactJson | undefined): string | undefined {
    if (value === undefined) return undefined;
    if (!isText(value)) return this.fail(key, 'is not text');
    return printable(String(value)) || undefined;
  }

  private field(key: string): ExactJson | undefined {
    if (this.value === undefined || !Object.hasOwn(this.value, key)) return undefined;
    const value = this.value[key];
    return value === null || value === '' ? undefined : value;
  }
}

/** What is read; undefined where it is unreadable. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadablePayload) return undefined;
    throw error;
  }
}

function printable(text: string): string {
  return replaceUnprintable(text, (run) => ' '.repeat(run.length)).trim();
}

function storable(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\ufffd') : wellFormed;
}

function plain(value: ExactJson): unknown {
  if (typeof value === 'string') return storable(value);
  if (isNumber(value)) return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (key !== '__proto__' && child !== undefined) result[storable(key)] = plain(child);
  }
  return result;
}
