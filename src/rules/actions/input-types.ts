import type { Reference } from '../../finance/api/effects/reference';
import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';
import { composed, replaceUnprintable } from '../../kernel/text';
import { ADDRESS } from '../cel/event-types';
import { Fact } from '../cel/facts';
import { Instalment } from '../cel/functions';
import { referenceOf, type OutputType } from '../cel/references';
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
  /** For objects written out whose fields are named by whoever writes them: what each takes. */
  readonly values?: InputType<unknown>;
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

/** The input `inferred` of actions whose day may be worked out. */
export const INFERRED =
  'true where the day is worked out and not known: a known day takes its place while it waits';

export const flag: InputType<boolean> = {
  name: 'bool',
  accepts: ['bool'],
  read(value) {
    if (typeof value !== 'boolean') throw new RuleRefusal('this is neither true nor false');
    return value;
  },
};

export const text: InputType<string> = {
  name: 'string',
  accepts: ['string', 'dyn'],
  read: textFrom,
  literal: cleanText,
};

/** Text of one form: as a literal it is held to it when the rule is loaded, otherwise when an event comes. */
export function textOf(form: string, fits: (text: string) => boolean): InputType<string> {
  const held = (value: string | undefined): string | undefined => {
    if (value !== undefined && !fits(value)) throw new RuleRefusal(`it must be ${form}`);
    return value;
  };
  return { ...text, read: (value) => held(textFrom(value)), literal: (value) => held(cleanText(value)) };
}

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

export const instant: InputType<Date> = {
  name: 'Instant',
  accepts: ['Instant'],
  read: (value) => (value instanceof Date ? value : wrongKind()),
  hint: 'an instant comes with the event, for example ${event.occurredAt}',
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

/** An output of an earlier step, of one of the types. */
export function output(...types: readonly [OutputType, ...OutputType[]]): InputType<Reference> {
  return {
    name: types.join(' | '),
    accepts: types,
    read: (value) => referenceOf(value, types) ?? wrongKind(),
    hint: 'it is an output of an earlier step, for example ${steps.customer.id}',
  };
}

/** An account: its code or UUID as text, or one that an earlier step found or made. */
export const account: InputType<string | Reference> = {
  name: 'string | AccountRef',
  accepts: [...text.accepts, 'AccountRef'],
  read: (value) => referenceOf(value, ['AccountRef']) ?? textFrom(value),
  literal: cleanText,
};

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

/** One part of a payment that an acquirer pays later: of a list of instalments, or as an event plans it. */
export interface SettledPart {
  /** Gross. */
  readonly value: Money;
  /** When it is paid. */
  readonly on: CalendarDate;
  /** Its number among the parts, where the event says it. */
  readonly number?: number;
}

const settledPart: InputType<SettledPart> = {
  name: 'Instalment | PlannedSettlement',
  accepts: ['Instalment', 'PlannedSettlement'],
  read: (value) => {
    if (value instanceof Instalment) return { value: value.value, on: value.dueDate };
    if (!(value instanceof Fact)) return wrongKind();
    const [gross, on, number] = ['value', 'on', 'number'].map((name) => value.field(name));
    return {
      ...{ value: money.read(gross) ?? wrongKind(), on: date.read(on) ?? wrongKind() },
      ...(typeof number === 'bigint' && { number: Number(number) }),
    };
  },
};

const WRITTEN_PART_FIELDS = {
  value: required(money, 'amount'),
  on: required(date, 'when the acquirer pays it'),
} satisfies InputFields;

export const settlementPlan = listOf({ ...settledPart, fields: WRITTEN_PART_FIELDS });

/** Text, an amount or a day, as text: amounts as decimal text, days as `YYYY-MM-DD`. */
const scalar: InputType<string> = {
  name: 'string | Money | Date',
  accepts: ['string', 'Money', 'Date', 'int', 'dyn'],
  read: (value) => {
    if (value instanceof Money || value instanceof CalendarDate || typeof value === 'bigint')
      return value.toString();
    return textFrom(value);
  },
  literal: cleanText,
};

/** An object written out, with names of the rule's choosing. */
export const namedTexts: InputType<Readonly<Record<string, string>>> = {
  name: 'object',
  accepts: [],
  read: wrongKind,
  hint: 'its fields are written out, each with a text, an amount or a day',
  values: scalar,
};

export function listOf<V>(item: InputType<V>): InputType<readonly V[]> {
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
  const members = fields as Readonly<Record<string, unknown>>;
  let present: Record<string, unknown> | undefined;
  for (const name of Object.keys(members))
    if (members[name] !== undefined) (present ??= {})[name] = members[name];
  return present as T | undefined;
}

function wrongKind(): never {
  throw new RuleRefusal('it is not of the kind that is needed here');
}
