import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { CalendarDate } from '../kernel/calendar-date';
import type { Money } from '../kernel/money';
import {
  type IntegerOptions,
  IsFlag,
  IsInstant,
  IsInteger32,
  IsMoneyText,
  IsNested,
  IsOneOf,
  IsText,
  IsTextList,
  IsUuidText,
  IsWireDate,
  IsWordList,
  MayBeLeftOut,
  Optional,
  type TextOptions,
} from '../http/validation';

/*
 * Bodies of requests and replies, field by field. {@link ObjectOf} makes a class of them whose type, description in
 * OpenAPI and checks cannot say different things: all come from one line for each field.
 */

/** A field of type `T` in the code. */
interface Field<T = unknown, MayBeAbsent extends boolean = boolean> {
  /** For the compiler alone. */
  readonly type: T;
  /** For the compiler alone. */
  readonly mayBeAbsent: MayBeAbsent;
  /** Describes the field, and where it is in a request says how it is read and checked. */
  decorator(): PropertyDecorator;
}

type Fields = Readonly<Record<string, Field>>;
type ObjectWith<F extends Fields> = {
  [Name in keyof F as F[Name] extends Field<unknown, false> ? Name : never]: F[Name]['type'];
} & { [Name in keyof F as F[Name] extends Field<unknown, false> ? never : Name]?: F[Name]['type'] };

/** A class with these fields. */
export function ObjectOf<F extends Fields>(fields: F): Type<ObjectWith<F>>;
/** A class with the fields of `base`, and these. */
export function ObjectOf<F extends Fields, B extends object>(
  fields: F,
  base: Type<B>,
): Type<B & ObjectWith<F>>;
export function ObjectOf(fields: Fields, base: Type<object> = Object): Type<object> {
  class Described extends base {}
  for (const [name, field] of Object.entries(fields)) field.decorator()(Described.prototype, name);
  return Described;
}

/** A field of a reply. */
class ReplyField<T, MayBeAbsent extends boolean = false> implements Field<T, MayBeAbsent> {
  declare readonly type: T;
  declare readonly mayBeAbsent: MayBeAbsent;

  constructor(
    private readonly schema: ApiPropertyOptions,
    private readonly description?: string,
  ) {}

  nullable(): ReplyField<T | null, MayBeAbsent> {
    return this.with<T | null, MayBeAbsent>({ nullable: true });
  }

  optional(): ReplyField<T, true> {
    return this.with<T, true>({ required: false });
  }

  decorator(): PropertyDecorator {
    const { schema, description } = this;
    return ApiProperty(description === undefined ? schema : { ...schema, description });
  }

  private with<U, A extends boolean>(more: ApiPropertyOptions): ReplyField<U, A> {
    return new ReplyField({ ...this.schema, ...more } as ApiPropertyOptions, this.description);
  }
}

/** A field of a request, which is needed unless said otherwise. */
class RequestField<T, MayBeAbsent extends boolean = false> implements Field<T, MayBeAbsent> {
  declare readonly type: T;
  declare readonly mayBeAbsent: MayBeAbsent;
  private readonly decorators: readonly PropertyDecorator[];

  constructor(...decorators: readonly PropertyDecorator[]) {
    this.decorators = decorators;
  }

  /** It may be absent or `null`. */
  nullable(): RequestField<T | null, true> {
    return new RequestField(...this.decorators, Optional());
  }

  /** It may be absent, but not `null`. */
  optional(): RequestField<T, true> {
    return new RequestField(...this.decorators, MayBeLeftOut());
  }

  decorator(): PropertyDecorator {
    return applyDecorators(...this.decorators);
  }
}

/** Fields of replies. What they take last is said of them in the API's description. */
export const reply = {
  text: (description?: string) => new ReplyField<string>({ type: String }, description),
  uuid: (description?: string) => new ReplyField<string>({ type: String, format: 'uuid' }, description),
  /** ISO 8601 in UTC, as JSON writes a `Date`. */
  instant: (description?: string) =>
    new ReplyField<Date | string>({ type: String, format: 'date-time' }, description),
  /** Decimal text. */
  amount: (description: string) => new ReplyField<string>({ type: String, description, example: '12.34' }),
  /** `YYYY-MM-DD` */
  day: (description?: string) => new ReplyField<string>({ type: String, format: 'date' }, description),
  flag: (description?: string) => new ReplyField<boolean>({ type: Boolean }, description),
  number: (description?: string) => new ReplyField<number>({ type: Number }, description),
  integer: (description?: string) => new ReplyField<number>({ type: 'integer' }, description),
  /** A whole number from 1. */
  count: (description?: string) => new ReplyField<number>({ type: 'integer', minimum: 1 }, description),
  oneOf: <W extends string>(words: readonly W[], description?: string) =>
    new ReplyField<W>({ type: String, enum: [...words] }, description),
  /** An object whose members are not described. */
  json: (description?: string) => new ReplyField<unknown>({ type: Object }, description),
  object: <T>(type: Type<T>, description?: string) => new ReplyField<T>({ type }, description),
  texts: (description?: string) => new ReplyField<string[]>({ type: [String] }, description),
  listOf: <T>(type: Type<T>, description?: string) => new ReplyField<T[]>({ type: [type] }, description),
  /** Whatever else: `T` says what it is in the code. */
  other: <T>(schema: ApiPropertyOptions, description?: string) => new ReplyField<T>(schema, description),
};

/** Fields of requests; `http/validation.ts` says how each is read. */
export const request = {
  text: (options?: TextOptions) => new RequestField<string>(IsText(options)),
  uuid: () => new RequestField<string>(IsUuidText()),
  flag: () => new RequestField<boolean>(IsFlag()),
  instant: () => new RequestField<Date>(IsInstant()),
  day: () => new RequestField<CalendarDate>(IsWireDate()),
  /** Decimal text above zero. */
  amount: () => new RequestField<Money>(IsMoneyText()),
  integer: (options: IntegerOptions) => new RequestField<number>(IsInteger32(options)),
  oneOf: <W extends string>(words: readonly W[]) => new RequestField<W>(IsOneOf(words)),
  words: <W extends string>(words: readonly W[]) => new RequestField<W[]>(IsWordList(words)),
  /** Different texts: `min` to `max` of them, each of at most `each` characters. */
  texts: (options: { min: number; max: number; each: number }) =>
    new RequestField<string[]>(IsTextList(options)),
  object: <T extends object>(type: Type<T>) => new RequestField<T>(IsNested(() => type)),
  /** Whatever else. @param decorators in the order in which they are applied, the one that reads the value among them */
  other: <T>(...decorators: readonly PropertyDecorator[]) => new RequestField<T>(...decorators),
  /** Why an operator does it; stands in the audit log. */
  reason: () => new RequestField<string>(IsText()).nullable(),
};
