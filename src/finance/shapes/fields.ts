import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { CalendarDate } from '../../kernel/calendar-date';
import { isUuid } from '../../kernel/identifier';
import { isLosslessNumber, type LosslessJson } from '../../kernel/lossless-json';
import { Money } from '../../kernel/money';
import { TaxId } from '../../kernel/tax-id';
import { plainDecimal } from './decimal';
import { declareField, FieldRefusal, type Field, type ReadingContext, type ShapeClass } from './field';
import { MAX_TEXT, strictText, TextError } from './text';

interface Presence {
  /** Absent, null or empty is an error. */
  required?: boolean;
}

type Read = (value: LosslessJson, context: ReadingContext) => unknown;

function decorate(field: Field, documentation: ApiPropertyOptions): PropertyDecorator {
  return (target, name) => {
    declareField(target, String(name), field);
    ApiProperty({ ...documentation, required: field.required } as ApiPropertyOptions)(target, name);
  };
}

function value(presence: Presence, documentation: ApiPropertyOptions, read: Read): PropertyDecorator {
  return decorate({ kind: 'value', required: presence.required ?? false, read }, documentation);
}

function textOf(json: LosslessJson, maxLength: number): string {
  if (typeof json !== 'string') throw new FieldRefusal('type', 'must be text');
  try {
    return strictText(json, maxLength);
  } catch (error) {
    if (error instanceof TextError) throw new FieldRefusal(error.code, error.message);
    throw error;
  }
}

function decimalOf(json: LosslessJson): string {
  if (!isLosslessNumber(json)) throw new FieldRefusal('type', 'must be a number');
  const decimal = plainDecimal(json.toString());
  if (decimal === undefined) throw new FieldRefusal('out-of-range', 'is out of range');
  return decimal;
}

/** Reads with a function of the kernel whose error message is safe to show. */
function checked<T>(code: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new FieldRefusal(code, error instanceof Error ? error.message : 'is not acceptable');
  }
}

/** Trimmed, composed text; empty text counts as not sent. */
export function Text(options: Presence & { maxLength?: number } = {}): PropertyDecorator {
  const maxLength = options.maxLength ?? MAX_TEXT;
  return value(options, { type: String, maxLength }, (json) => textOf(json, maxLength) || undefined);
}

/** Text made of so many digits and nothing else, with its leading zeros. */
export function Digits(length: number, options: Presence = {}): PropertyDecorator {
  const pattern = new RegExp(`^\\d{${length}}$`);
  return value(options, { type: String, pattern: pattern.source }, (json) => {
    const text = textOf(json, MAX_TEXT);
    if (text && !pattern.test(text)) throw new FieldRefusal('digits', `must be ${length} digits`);
    return text || undefined;
  });
}

/** A Brazilian postal code, read with or without its hyphen, kept as eight digits. */
export function ZipCode(options: Presence = {}): PropertyDecorator {
  return value(options, { type: String, pattern: '^\\d{5}-?\\d{3}$' }, (json) => {
    const text = textOf(json, MAX_TEXT);
    if (text && !/^\d{5}-?\d{3}$/.test(text)) throw new FieldRefusal('digits', 'must be 8 digits');
    return text.replace('-', '') || undefined;
  });
}

/** A CPF or CNPJ with or without punctuation, kept without; `only` narrows it to one of the two. */
export function TaxIdText(options: Presence & { only?: 'Cpf' | 'Cnpj' } = {}): PropertyDecorator {
  return value(options, { type: String }, (json) => {
    const text = textOf(json, MAX_TEXT);
    if (!text) return undefined;
    const taxId = checked('tax-id', () => TaxId.parse(text));
    if (options.only && taxId.type !== options.only) {
      throw new FieldRefusal('tax-id', `must be a ${options.only.toUpperCase()}`);
    }
    return taxId.number;
  });
}

/** A record's identifier, in lower case. */
export function Uuid(options: Presence = {}): PropertyDecorator {
  return value(options, { type: String, format: 'uuid' }, (json) => {
    const text = textOf(json, MAX_TEXT);
    if (text && !isUuid(text)) throw new FieldRefusal('uuid', 'must be a UUID');
    return text.toLowerCase() || undefined;
  });
}

/** A double on the wire, exact {@link Money} of the organization's currency inside; `positive`: above zero. */
export function Amount(options: Presence & { positive?: boolean } = {}): PropertyDecorator {
  return value(options, { type: Number, format: 'double' }, (json, context) => {
    const decimal = decimalOf(json);
    const money = checked('amount', () => Money.parse(decimal, context.currency));
    if (options.positive && !money.isPositive) {
      throw new FieldRefusal('not-positive', 'must be more than zero');
    }
    return money;
  });
}

/** A number from `min` to `max` with at most two decimals. */
export function Percent(range: { min: number; max: number }, options: Presence = {}): PropertyDecorator {
  return value(options, { type: Number, format: 'double', minimum: range.min, maximum: range.max }, (json) => {
    const decimal = decimalOf(json);
    const parsed = Number(decimal);
    if (parsed < range.min || parsed > range.max) {
      throw new FieldRefusal('out-of-range', `must be from ${range.min} to ${range.max}`);
    }
    if (!/^-?\d+(\.\d{1,2})?$/.test(decimal)) {
      throw new FieldRefusal('decimals', 'must have at most two decimals');
    }
    return parsed;
  });
}

/** A whole number of 32 bits, signed. */
export function Int32(options: Presence = {}): PropertyDecorator {
  return value(options, { type: Number, format: 'int32' }, (json) => {
    const decimal = decimalOf(json);
    const parsed = Number(decimal);
    if (decimal.includes('.') || parsed < -(2 ** 31) || parsed > 2 ** 31 - 1) {
      throw new FieldRefusal('out-of-range', 'must be a whole number of 32 bits');
    }
    return parsed;
  });
}

/** A calendar date, from a date or from a date and time as {@link CalendarDate.parseIn} takes them. */
export function Day(options: Presence = {}): PropertyDecorator {
  return value(options, { type: String, format: 'date-time' }, (json, context) => {
    const text = textOf(json, MAX_TEXT);
    return text ? checked('date', () => CalendarDate.parseIn(text, context.timeZone)) : undefined;
  });
}

export function Flag(options: Presence = {}): PropertyDecorator {
  return value(options, { type: Boolean }, (json) => {
    if (typeof json !== 'boolean') throw new FieldRefusal('type', 'must be true or false');
    return json;
  });
}

/** One of the given words, in any letter case; kept as listed here. */
export function Word(words: readonly string[], options: Presence = {}): PropertyDecorator {
  return value(options, { type: String, enum: [...words] }, (json) => {
    const text = textOf(json, MAX_TEXT);
    if (!text) return undefined;
    const word = words.find((candidate) => candidate.toLowerCase() === text.toLowerCase());
    if (word === undefined) throw new FieldRefusal('enum', `must be one of ${words.join(', ')}`);
    return word;
  });
}

/** An object of its own shape. */
export function Nested(shape: () => ShapeClass, options: Presence = {}): PropertyDecorator {
  return decorate({ kind: 'object', required: options.required ?? false, shape }, { type: shape });
}

/** A list of objects of one shape. */
export function ListOf(
  shape: () => ShapeClass,
  maxItems: number,
  options: Presence = {},
): PropertyDecorator {
  return decorate(
    { kind: 'list', required: options.required ?? false, shape, maxItems },
    { type: shape, isArray: true, maxItems },
  );
}
