import type { FieldType } from './fields';

/** What an expression gives; `null` and `date-time` only come from literals. */
export type ValueType = FieldType | 'date-time' | 'null';

export type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';

export type FunctionName = keyof typeof SIGNATURES;

interface Located {
  readonly type: ValueType;
  /** Where it begins in the source, from 1. */
  readonly position: number;
}

export interface Literal extends Located {
  readonly kind: 'literal';
  /** Digits of a number, `true` or `false`, a text without quotes, a date as written. Empty for null. */
  readonly value: string;
}

export interface FieldReference extends Located {
  readonly kind: 'field';
  /** As the list's table of fields spells it. */
  readonly path: string;
}

export interface Call extends Located {
  readonly kind: 'call';
  readonly name: FunctionName;
  /** As many as the function takes, of the types it takes. */
  readonly operands: readonly Expression[];
}

export interface Compared extends Located {
  readonly kind: 'compare';
  readonly operator: Comparison;
  /** Of types that can be compared, or one of them null. */
  readonly left: Expression;
  readonly right: Expression;
}

export interface OneOf extends Located {
  readonly kind: 'in';
  readonly operand: Expression;
  readonly values: readonly Literal[];
}

export interface Not extends Located {
  readonly kind: 'not';
  readonly operand: Expression;
}

export interface Joined extends Located {
  readonly kind: 'and' | 'or';
  /** At least two conditions. */
  readonly operands: readonly Expression[];
}

/** A `$filter` that was parsed and checked: every name is known and every type fits. */
export type Expression = Literal | FieldReference | Call | Compared | OneOf | Not | Joined;

/** One key of `$orderby`. */
export interface OrderKey {
  readonly path: string;
  readonly descending: boolean;
}

/** What a function takes and gives. What takes a date takes a point in time too, for the day it falls on. */
interface Signature {
  takes: readonly FieldType[];
  gives: FieldType;
}

const SIGNATURES = {
  contains: { takes: ['text', 'text'], gives: 'boolean' },
  substringof: { takes: ['text', 'text'], gives: 'boolean' },
  startswith: { takes: ['text', 'text'], gives: 'boolean' },
  endswith: { takes: ['text', 'text'], gives: 'boolean' },
  tolower: { takes: ['text'], gives: 'text' },
  toupper: { takes: ['text'], gives: 'text' },
  trim: { takes: ['text'], gives: 'text' },
  length: { takes: ['text'], gives: 'integer' },
  year: { takes: ['date'], gives: 'integer' },
  month: { takes: ['date'], gives: 'integer' },
  day: { takes: ['date'], gives: 'integer' },
  date: { takes: ['date'], gives: 'date' },
  now: { takes: [], gives: 'instant' },
} as const satisfies Record<string, Signature>;

export const FUNCTIONS: Readonly<Record<FunctionName, Signature>> = SIGNATURES;

const FAMILIES: Readonly<Record<ValueType, string>> = {
  guid: 'guid',
  text: 'text',
  number: 'number',
  integer: 'number',
  money: 'number',
  date: 'date',
  'date-time': 'date',
  instant: 'date',
  boolean: 'boolean',
  null: 'null',
};

/** What a person calls the type. */
export function familyOf(type: ValueType): string {
  return FAMILIES[type];
}

/** Whether values of the two types can be compared; null can be with anything. */
export function comparable(left: ValueType, right: ValueType): boolean {
  return left === 'null' || right === 'null' || familyOf(left) === familyOf(right);
}
