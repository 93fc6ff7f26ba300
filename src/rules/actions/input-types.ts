import type { Reference } from '../../finance/api/effects/reference';
import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';
import { composed, replaceUnprintable } from '../../kernel/text';
import { ADDRESS } from '../cel/event-types';
import { Fact } from '../cel/facts';
import { Instalment } from '../cel/functions';
import { StepOutput, type OutputType } from '../cel/references';
import { RuleRefusal } from '../cel/refusal';

/**
 * What an action's input takes: which CEL types at load time, and how a value becomes the action's at
 * evaluation. `undefined` means absent; absent text, empty text and an address of nothing all read so.
 */
export interface InputType<V> {
  /** As people read it: `Money`, `list<Instalment>`. */
  readonly name: string;
  /** CEL types whose values it takes. */
  readonly accepts: readonly string[];
  /** From an expression's value. @throws RuleRefusal when the value is not acceptable */
  read(value: unknown): V | undefined;
  /** From text without expressions, when that makes sense. @throws RuleRefusal when the text is not acceptable */
  literal?(text: string): V | undefined;
  /** How to write a value, where plain text will not do. */
  readonly hint?: string;
  /** For lists written out: what each element takes. */
  readonly item?: InputType<unknown>;
  /** For objects written out: what their fields take. */
  readonly fields?: InputFields;
}

export interface InputField<V = unknown, R extends boolean = boolean> {
  readonly type: InputType<V>;
  readonly required: R;
  readonly description: string;
}

export type InputFields = Readonly<Record<string, InputField>>;

/** The values that an action with these fields is given. */
export type ValuesOf<F extends InputFields> = {
  readonly [K in keyof F as F[K] extends InputField<unknown, true> ? K : never]: ValueOf<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends InputField<unknown, true> ? never : K]?: ValueOf<F[K]>;
};

type ValueOf<F> = F extends InputField<infer V> ? V : never;

export function required<V>(type: InputType<V>, description: string): InputField<V, true> {
  return { type, required: true, description };
}

export function optional<V>(type: InputType<V>, description: string): InputField<V, false> {
  return { type, required: false, description };
}

/** Longest text the finance interface takes. */
export const MAX_INPUT_TEXT = 500;

/** Trimmed, NFC, control characters as spaces; nothing left is absent. @throws RuleRefusal when too long */
export function cleanText(value: string): string | undefined {
  const clean = composed(replaceUnprintable(value).trim(), MAX_INPUT_TEXT);
  if (clean === undefined) {
    throw new RuleRefusal(`the text is longer than ${MAX_INPUT_TEXT} characters`);
  }
  return clean === '' ? undefined : clean;
}

function textFrom(value: unknown): string | undefined {
  if (typeof value !== 'string') throw new RuleRefusal('the payload has no text here');
  return cleanText(value);
}

export const text: InputType<string> = {
  name: 'string',
  accepts: ['string', 'dyn'],
  read: textFrom,
  literal: cleanText,
};

export const money: InputType<Money> = {
  name: 'Money',
  accepts: ['Money'],
  read: (value) => (value instanceof Money ? value : wrongKind()),
  hint: 'an amount is written ${money("10.00")}',
};

export const date: InputType<CalendarDate> = {
  name: 'Date',
  accepts: ['Date'],
  read: (value) => (value instanceof CalendarDate ? value : wrongKind()),
  hint: 'a date is written ${date("2026-01-31")}',
};

/** One of a few words. */
export function choice<const O extends string>(options: readonly O[]): InputType<O> {
  const read = (value: unknown): O => {
    const option = options.find((candidate) => candidate === value);
    if (option === undefined) throw new RuleRefusal(`it must be ${options.join(' or ')}`);
    return option;
  };
  return { name: options.join(' | '), accepts: ['string'], read, literal: read };
}

/** An output of an earlier step. */
export function output(type: OutputType): InputType<Reference> {
  return {
    name: type,
    accepts: [type],
    read: (value) => (value instanceof StepOutput ? value.reference : wrongKind()),
    hint: 'it is an output of an earlier step, for example ${steps.customer.id}',
  };
}

/** What an address is made of. Every piece may be missing. */
const ADDRESS_FIELDS = {
  line1: optional(text, 'street'),
  number: optional(text, 'house number'),
  line2: optional(text, 'flat, floor'),
  district: optional(text, 'district'),
  city: optional(text, 'city'),
  state: optional(text, 'state or province'),
  zipCode: optional(text, 'postal code'),
  country: optional(text, 'country'),
} satisfies InputFields;

const ADDRESS_NAMES = Object.keys(ADDRESS_FIELDS);

export const address: InputType<ValuesOf<typeof ADDRESS_FIELDS>> = {
  name: 'Address',
  accepts: [ADDRESS.name],
  fields: ADDRESS_FIELDS,
  read: (value) => {
    const facts = value instanceof Fact ? value : wrongKind();
    const pieces: Record<string, string | undefined> = {};
    for (const name of ADDRESS_NAMES) pieces[name] = textFrom(facts.field(name));
    return withoutAbsent(pieces);
  },
};

const INSTALMENT_FIELDS = {
  value: required(money, 'amount'),
  dueDate: required(date, 'when it is due'),
  description: optional(text, "what it is; absent: made of the schedule's"),
} satisfies InputFields;

const instalment: InputType<ValuesOf<typeof INSTALMENT_FIELDS>> = {
  name: 'Instalment',
  accepts: ['Instalment'],
  fields: INSTALMENT_FIELDS,
  read: (value) => {
    const { value: amount, dueDate } = value instanceof Instalment ? value : wrongKind();
    return { value: amount, dueDate };
  },
};

export const instalments = listOf(instalment);

function listOf<V>(item: InputType<V>): InputType<readonly V[]> {
  return {
    name: `list<${item.name}>`,
    // The second is how the checker names the type of an empty list.
    accepts: [...item.accepts.map((type) => `list<${type}>`), 'list<T>'],
    item,
    read: (value) => {
      if (!Array.isArray(value)) throw new RuleRefusal('it is no list');
      const items = value.map((element) => item.read(element)).filter((element) => element !== undefined);
      return items.length === 0 ? undefined : items;
    },
  };
}

/** The fields that are there, or undefined when none is. */
export function withoutAbsent<T extends object>(fields: T): T | undefined {
  let present: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) (present ??= {})[name] = value;
  return present as T | undefined;
}

function wrongKind(): never {
  throw new RuleRefusal('it is not of the kind that is needed here');
}
