import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsDefined, IsOptional, ValidateIf } from 'class-validator';
import { CalendarDate, CalendarDateError } from '../kernel/calendar-date';
import { isUuid } from '../kernel/identifier';
import { INSTANT_FORM, readInstant } from '../kernel/instant';
import { isLosslessNumber, type LosslessJson } from '../kernel/lossless-json';
import { Money, MoneyError } from '../kernel/money';
import type { Organization } from '../kernel/organization';
import { composed, hasUnprintable } from '../kernel/text';
import { Refusal, setNested, setReader, type FieldContext } from './field';
import { exactDecimal } from '../kernel/exact-decimal';

/*
 * Decorators for the fields of request bodies. Each one reads the JSON value into the type the code works
 * with and refuses what does not fit; each makes the field required unless {@link Optional}
 * stands above it, and then `null` stays `null` ("cleared") and an absent field stays undefined. Other
 * class-validator decorators may be added; they see the value as read.
 */

const INT32_MAX = 2_147_483_647;
/** A number as text that can be read in one way only: no sign for thousands, no exponent, no zeros before it. */
const EXACT_TEXT = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/;
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

export interface TextOptions {
  /** Longest text in characters after trimming; 500 unless said otherwise. */
  max?: number;
  /** The only form taken, with the sentence that says so. */
  pattern?: { form: RegExp; message: string };
}

export interface MoneyOptions {
  /** Refuse zero and less. */
  positive?: boolean;
}

export interface IntegerOptions {
  min?: number;
  max?: number;
}

/**
 * Text (`string`): trimmed, NFC-normalised, without control characters. Empty text counts as `null`.
 */
export function IsText({ max = 500, pattern }: TextOptions = {}): PropertyDecorator {
  return applyDecorators(
    required(),
    ApiProperty({ type: String, maxLength: max }),
    setReader((value) => {
      if (typeof value !== 'string') return new Refusal('text', 'must be text');
      const text = composed(value.trim(), max);
      if (text === undefined) return new Refusal('text', `must have at most ${max} characters`);
      if (text === '') return null;
      if (hasUnprintable(text)) return new Refusal('text', 'must not hold control characters');
      if (pattern && !pattern.form.test(text)) return new Refusal('text', pattern.message);
      return text;
    }),
  );
}

/** A UUID as text (`string`), read into lower case. */
export function IsUuidText(): PropertyDecorator {
  return applyDecorators(
    required(),
    ApiProperty({ type: String, format: 'uuid' }),
    setReader((value) =>
      typeof value === 'string' && isUuid(value.trim())
        ? value.trim().toLowerCase()
        : new Refusal('uuid', 'must be a UUID'),
    ),
  );
}

/**
 * An amount, a JSON number in requests, read into exact {@link Money} in the organization's currency. More
 * decimals than the currency has, or more than 999,999,999,999.99, is refused; nothing is rounded.
 */
export function IsMoneyValue({ positive = false }: MoneyOptions = {}): PropertyDecorator {
  return applyDecorators(
    required(),
    ApiProperty({ type: Number, format: 'double', ...(positive && { description: 'More than 0' }) }),
    setReader((value, context) => {
      const { currency } = organizationOf(context);
      const text = decimalOf(value, context);
      if (text === undefined)
        return new Refusal(
          'money',
          isLosslessNumber(value) ? 'has more digits than an amount can have' : 'must be a number',
        );
      if (typeof value === 'string' && decimalsIn(text) > Money.exponentOf(currency))
        return new Refusal('money', `as text has at most ${Money.exponentOf(currency)} decimals`);
      const amount = refusing('money', MoneyError, () => Money.parse(text, currency));
      if (positive && amount instanceof Money && !amount.isPositive)
        return new Refusal('money', 'must be more than 0');
      return amount;
    }, 'number'),
  );
}

/**
 * An amount above zero as decimal text, `"12.34"`, read into exact {@link Money} in the organization's currency.
 * More decimals than the currency has are refused; nothing is rounded.
 */
export function IsMoneyText(): PropertyDecorator {
  return applyDecorators(
    required(),
    ApiProperty({ type: String, example: '12.34', description: 'Decimal text, more than 0' }),
    setReader((value, context) => {
      if (typeof value !== 'string') return new Refusal('money', 'must be decimal text such as "12.34"');
      const amount = refusing('money', MoneyError, () =>
        Money.parse(value, organizationOf(context).currency),
      );
      return amount instanceof Money && !amount.isPositive
        ? new Refusal('money', 'must be more than 0')
        : amount;
    }),
  );
}

/**
 * A day, read into {@link CalendarDate}: `YYYY-MM-DD`, or ISO 8601 date and time. A time with an offset is
 * the day it falls on in the organization's time zone; one without is local to it. Where clients are read leniently,
 * see {@link CalendarDate.parseSent}.
 */
export function IsWireDate(): PropertyDecorator {
  return applyDecorators(
    required(),
    ApiProperty({ type: String, format: 'date-time', description: 'ISO 8601: a date, or date and time' }),
    setReader((value, context) => {
      if (typeof value !== 'string') return new Refusal('date', 'must be a date as text, such as 2026-01-31');
      const { timeZone } = organizationOf(context);
      const text = value.trim();
      return refusing('date', CalendarDateError, () =>
        context.lenient ? CalendarDate.parseSent(text, timeZone) : CalendarDate.parseIn(text, timeZone),
      );
    }),
  );
}

/** A point in time: ISO 8601 date and time with its offset, read into `Date`. */
export function IsInstant(): PropertyDecorator {
  return applyDecorators(
    required(),
    ApiProperty({ type: String, format: 'date-time', description: 'ISO 8601, with its offset' }),
    setReader((value) => {
      const instant = typeof value === 'string' ? readInstant(value.trim()) : undefined;
      return instant ?? new Refusal('instant', `must be ${INSTANT_FORM}`);
    }),
  );
}

/** A whole number of 32 bits, read into `number`. */
export function IsInteger32({
  min = -INT32_MAX - 1,
  max = INT32_MAX,
}: IntegerOptions = {}): PropertyDecorator {
  return applyDecorators(
    required(),
    ApiProperty({ type: 'integer', format: 'int32', minimum: min, maximum: max }),
    setReader((value, context) => {
      const text = decimalOf(value, context);
      // As text, `1.000` may be meant for a thousand.
      if (typeof value === 'string' && text !== undefined && decimalsIn(text) > 0)
        return new Refusal('integer', `must be a whole number from ${min} to ${max}`);
      const whole = text !== undefined && /^-?\d+(\.0+)?$/.test(text) ? Number(text) : undefined;
      if (whole === undefined || whole < min || whole > max)
        return new Refusal('integer', `must be a whole number from ${min} to ${max}`);
      // Zero has no sign here.
      return whole === 0 ? 0 : whole;
    }, 'number'),
  );
}

/** A number that is no amount, such as a percentage, read into the nearest double. */
export function IsPlainNumber({ min, max }: Required<IntegerOptions>): PropertyDecorator {
  return applyDecorators(
    required(),
    ApiProperty({ type: Number, format: 'double', minimum: min, maximum: max }),
    setReader((value, context) => {
      const text = decimalOf(value, context);
      const number = Number(text);
      return text !== undefined && number >= min && number <= max
        ? number
        : new Refusal('range', `must be from ${min} to ${max}`);
    }, 'number'),
  );
}

/** `true` or `false`. */
export function IsFlag(): PropertyDecorator {
  return applyDecorators(
    required(),
    ApiProperty({ type: Boolean }),
    setReader((value, { lenient }) => {
      const flag = lenient && typeof value === 'string' ? FLAGS.get(value.trim().toLowerCase()) : value;
      return typeof flag === 'boolean' ? flag : new Refusal('boolean', 'must be true or false');
    }, 'flag'),
  );
}

/** One of some words, in any letter case, read into the word as listed. */
export function IsOneOf(words: readonly string[]): PropertyDecorator {
  return applyDecorators(
    required(),
    ApiProperty({ type: String, enum: [...words] }),
    setReader(
      (value) => wordAmong(words, value) ?? new Refusal('one-of', `must be one of ${words.join(', ')}`),
    ),
  );
}

/** A list of one or more of some words, each at most once, in any letter case, read into the words as listed. */
export function IsWordList(words: readonly string[]): PropertyDecorator {
  return applyDecorators(
    required(),
    ApiProperty({ type: 'string', isArray: true, enum: [...words], minItems: 1 }),
    setReader((value) => {
      const found = Array.isArray(value) ? value.map((item) => wordAmong(words, item)) : [];
      const good = found.filter((word) => word !== undefined);
      if (good.length === 0 || good.length < found.length || new Set(good).size < good.length)
        return new Refusal('word-list', `must be a list of different words among ${words.join(', ')}`);
      return good;
    }, 'texts'),
  );
}
/** A list of `min` to `max` different texts. */
export function IsTextList({
  min,
  max,
  each,
}: {
  min: number;
  max: number;
  each: number;
}): PropertyDecorator {
  const refusal = new Refusal('texts', `must be a list of ${min} to ${max} different texts`);
  return applyDecorators(
    required(),
    ApiProperty({ type: 'string', isArray: true, minItems: min, maxItems: max }),
    setReader((value) => {
      if (!Array.isArray(value) || value.length < min || value.length > max) return refusal;
      const texts = value.map((item) => (typeof item === 'string' ? composed(item.trim(), each) : undefined));
      const good = texts.filter((text) => text !== undefined && text !== '' && !hasUnprintable(text));
      return good.length === value.length && new Set(good).size === good.length ? good : refusal;
    }, 'texts'),
  );
}

/** An object with fields of its own. The description's library knows a lazy type by its being called `type`. */
export function IsNested(type: () => new () => object): PropertyDecorator {
  return applyDecorators(required(), ApiProperty({ type: () => type() }), setNested({ type }));
}

/** A list of at most `max` objects. */
export function IsNestedList(type: () => new () => object, { max }: { max: number }): PropertyDecorator {
  return applyDecorators(
    required(),
    ApiProperty({ type: () => type(), isArray: true, maxItems: max }),
    setNested({ type, max }),
  );
}

/** The field may be absent or `null`. To be written above the decorator that reads the field. */
export function Optional(): PropertyDecorator {
  return applyDecorators(IsOptional(), ApiProperty({ required: false, nullable: true }));
}

/**
 * The field may be absent and then keeps its value, but may not be `null`. To be written above the decorator
 * that reads the field.
 */
export function MayBeLeftOut(): PropertyDecorator {
  return applyDecorators(
    ValidateIf((_body, value) => value !== undefined),
    ApiProperty({ required: false }),
  );
}

/** Keeps a field out of the API's description: it is another way to say what one that is described says. */
export const UNDESCRIBED = 'x-undescribed';

/** To be written above everything else: see {@link UNDESCRIBED}. */
export function Undescribed(): PropertyDecorator {
  const options: ApiPropertyOptions & Record<typeof UNDESCRIBED, true> = { [UNDESCRIBED]: true };
  return ApiProperty(options);
}

/** Carries a condition to where the API's description wants it. */
export const NEEDED_WITH = 'x-needed-with';

/** When a field that is otherwise optional is needed. */
export interface Condition {
  field: string;
  value: string;
}

/**
 * Describes the field as needed when a field beside it has the value. The code that reads
 * the body refuses it otherwise. Stands above {@link Optional}.
 */
export function NeededWith(field: string, value: string, description: string): PropertyDecorator {
  const options: ApiPropertyOptions & Record<typeof NEEDED_WITH, Condition> = {
    description,
    [NEEDED_WITH]: { field, value },
  };
  return ApiProperty(options);
}

/** A number as plain decimal text; undefined when it is none, or has more digits than anything stored. */
function decimalOf(value: LosslessJson, { lenient }: FieldContext): string | undefined {
  if (isLosslessNumber(value)) return exactDecimal(value.toString());
  const text = lenient && typeof value === 'string' ? value.trim() : '';
  return EXACT_TEXT.test(text) ? text : undefined;
}

function decimalsIn(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

function required(): PropertyDecorator {
  return IsDefined({ message: 'is required' });
}

/** A word as it is listed, else the only one that differs from it in nothing but letter case. */
function wordAmong(words: readonly string[], value: LosslessJson): string | undefined {
  if (typeof value !== 'string') return undefined;
  const wanted = value.trim();
  if (words.includes(wanted)) return wanted;
  const [word, ...others] = words.filter((each) => each.toLowerCase() === wanted.toLowerCase());
  return others.length === 0 ? word : undefined;
}

function organizationOf(context: FieldContext): Organization {
  if (!context.organization) throw new Error('money and dates are read for an organization');
  return context.organization;
}

function refusing<T>(code: string, refusal: new () => Error, read: () => T): T | Refusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof refusal) return new Refusal(code, error.message);
    throw error;
  }
}
