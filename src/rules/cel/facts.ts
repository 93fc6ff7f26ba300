import { MAX_LIST, MAX_TEXT } from './limits';
import { RuleRefusal } from './refusal';

/** One field of a type: its CEL type, and how its value is read from the facts. */
export interface Field<V> {
  readonly type: string;
  read(fact: V, name: string): unknown;
  /** Set where reading makes an object or a list. */
  readonly makes?: true;
}

export type FieldsOf<T> = { readonly [K in keyof T]-?: Field<T[K]> };

type Absent = undefined | null;

function isAbsent(fact: unknown): fact is Absent | '' {
  return fact === undefined || fact === null || fact === '';
}

/**
 * A typed thing of an event as expressions see it. Fields are read when they are asked for, so that a limit
 * is only broken by a rule that touches what breaks it.
 */
export abstract class Fact {
  /** Nothing in it is there. */
  abstract readonly isEmpty: boolean;
  /** A field's value; undefined when it is absent or there is no such field. */
  abstract field(name: string): unknown;
}

/** A CEL type made of facts: what the checker knows of it, and how a value is made. */
export interface FactType<T> {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field<never>>>;
  /** What the library recognises its values by. */
  readonly ctor: new (facts: T) => Fact;
  of(facts: T): Fact;
}

/** Declares a type with exactly the fields that `T` has: a field forgotten or too many does not compile. */
export function factType<T extends object>(name: string, fields: FieldsOf<T>): FactType<T> {
  const readers = new Map(Object.entries<Field<unknown>>(fields));
  class TypedFact extends Fact {
    readonly #facts: Readonly<Record<string, unknown>>;
    /** Objects and lists are made once, however often expressions ask. */
    #made?: Map<string, unknown>;

    constructor(facts: T) {
      super();
      this.#facts = facts as Readonly<Record<string, unknown>>;
    }

    override get isEmpty(): boolean {
      return [...readers.keys()].every((key) => isAbsent(this.#facts[key]));
    }

    override field(key: string): unknown {
      const reader = readers.get(key);
      if (reader === undefined) return undefined;
      if (reader.makes !== true) return reader.read(this.#facts[key], key);
      const known = this.#made?.get(key);
      if (known !== undefined) return known;
      const value = reader.read(this.#facts[key], key);
      if (value !== undefined) (this.#made ??= new Map<string, unknown>()).set(key, value);
      return value;
    }
  }
  for (const key of readers.keys()) {
    Object.defineProperty(TypedFact.prototype, key, {
      get(this: TypedFact) {
        return this.field(key);
      },
    });
  }
  return {
    name,
    fields: fields,
    ctor: TypedFact,
    of: (facts) => new TypedFact(facts),
  };
}

/** The text itself. @throws RuleRefusal when it is longer than an expression may see */
export function boundedText(text: string, name: string): string {
  if (text.length > MAX_TEXT) {
    throw new RuleRefusal(`the text "${name}" is longer than ${MAX_TEXT} characters`);
  }
  return text;
}

/** The list itself. @throws RuleRefusal when it is longer than an expression may see */
export function boundedList<T>(list: readonly T[], name: string): readonly T[] {
  if (list.length > MAX_LIST) {
    throw new RuleRefusal(
      `the list "${name}" has ${list.length} elements; a rule can read at most ${MAX_LIST}`,
    );
  }
  return list;
}

/** Text; absent reads as `""`. */
export const text: Field<string | undefined> = {
  type: 'string',
  read: (fact, name) => (isAbsent(fact) ? '' : boundedText(fact, name)),
};

export const bool: Field<boolean> = { type: 'bool', read: (fact) => fact };

/** True only where the facts say so. */
export const flag: Field<boolean | undefined> = { type: 'bool', read: (fact) => fact === true };

/** A whole number. */
export const int: Field<number> = { type: 'int', read: (fact) => BigInt(fact) };

/** A whole number that may be absent: reading it then is an error, test `has()` first. */
export const possibleInt: Field<number | undefined> = {
  type: 'int',
  read: (fact) => (isAbsent(fact) ? undefined : BigInt(fact)),
};

/** A number that need not be whole. */
export const double: Field<number> = { type: 'double', read: (fact) => fact };

export const texts: Field<readonly string[]> = {
  type: 'list<string>',
  read: (fact, name) => Array.from(boundedList(fact ?? [], name), (item) => boundedText(item, name)),
  makes: true,
};

/** Something of the kernel (money, an instant) that expressions take as it is. */
export function plain<V>(type: string): Field<V> {
  return { type, read: (fact) => fact ?? undefined };
}

/** An object that may be absent: reading it then is an error, test `has()` first. */
export function object<T extends object>(type: FactType<T>): Field<T | undefined> {
  return { type: type.name, read: (fact) => (isAbsent(fact) ? undefined : type.of(fact)), makes: true };
}

/** An object that is always there, with every field empty where the facts have none. */
export function emptyableObject<T extends object>(type: FactType<Partial<T>>): Field<T | undefined> {
  return { type: type.name, read: (fact) => type.of(fact ?? {}), makes: true };
}

export function list<T extends object>(type: FactType<T>): Field<readonly T[]> {
  return {
    type: `list<${type.name}>`,
    read: (fact, name) => Array.from(boundedList(fact ?? [], name), (item) => type.of(item)),
    makes: true,
  };
}

/** Like {@link list}; absent reads as a list without elements. */
export function possibleList<T extends object>(type: FactType<T>): Field<readonly T[] | undefined> {
  const full = list(type);
  return { ...full, read: (fact, name) => full.read(fact ?? [], name) };
}

/** Whether a value counts as there: not absent, not empty text, not an empty list, not an object of nothing. */
export function isPresent(value: unknown): boolean {
  if (isAbsent(value)) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !(value instanceof Fact && value.isEmpty);
}
