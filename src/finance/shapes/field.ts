import type { LosslessJson } from '../../kernel/lossless-json';

/** What reading a value depends on besides the value: the organization's zone and currency. */
export interface ReadingContext {
  /** IANA name: dates without offset are local to it. */
  timeZone: string;
  /** ISO 4217 code: decides how many decimals an amount may have. */
  currency: string;
}

/** A value that is not acceptable: which rule it broke and a sentence for a person. */
export class FieldRefusal extends Error {
  override readonly name = 'FieldRefusal';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export type ShapeClass<T extends object = object> = new () => T;

/** How one field of a shape is read; `undefined` from `read` means "as good as not sent". */
export type Field =
  | {
      kind: 'value';
      required: boolean;
      /** @throws FieldRefusal */
      read: (value: LosslessJson, context: ReadingContext) => unknown;
    }
  | { kind: 'object'; required: boolean; shape: () => ShapeClass }
  | { kind: 'list'; required: boolean; shape: () => ShapeClass; maxItems: number };

const declared = new WeakMap<object, Map<string, Field>>();

/** Registers a field of the class whose prototype is `target`. */
export function declareField(target: object, name: string, field: Field): void {
  const own = declared.get(target) ?? new Map<string, Field>();
  own.set(name, field);
  declared.set(target, own);
}

/** The fields of a shape, those of the classes it extends first. */
export function fieldsOf(shape: ShapeClass): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  const chain: object[] = [];
  for (let proto: unknown = shape.prototype; proto; proto = Object.getPrototypeOf(proto)) {
    chain.unshift(proto);
  }
  for (const proto of chain) declared.get(proto)?.forEach((field, name) => fields.set(name, field));
  return fields;
}
