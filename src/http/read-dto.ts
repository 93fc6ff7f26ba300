import { getMetadataStorage, validateSync } from 'class-validator';
import { isLosslessNumber, type LosslessJson } from '../kernel/lossless-json';
import { jsonPointer } from '../kernel/json-pointer';
import type { FieldError } from '../kernel/problem';
import {
  kindOf,
  namesRecord,
  nestedOf,
  readerOf,
  reconcilerOf,
  Refusal,
  type FieldContext,
  type NestedField,
  type WireKind,
} from './field';
import { isObject } from '../kernel/json-object';

/** A body as read. With errors, the value is not to be used. */
export interface ReadDto<T> {
  value: T;
  errors: FieldError[];
  /** Fields the class does not know, as dotted paths; a dot within a name is `%2E`. */
  ignored: string[];
  /** How many fields say something, beside those that name the record. */
  said: number;
}

type JsonObject = Record<string, LosslessJson>;

/** The names in an object: fields of its class, by the spelling in which they came, and others. */
interface Sorted {
  readonly spelled: ReadonlyMap<string, string>;
  readonly unknown: readonly string[];
}

/** More than a person reads; a body made of nothing but errors must not become a reply many times its size. */
const MAX_ERRORS = 100;
const MAX_IGNORED = 1000;

const knownFields = new WeakMap<object, ReadonlySet<string>>();
const fieldsInLowerCase = new WeakMap<object, ReadonlyMap<string, string>>();

/**
 * Reads parsed JSON into an instance of `type`, field by field as its decorators say (see `validation.ts`),
 * and finds everything that is wrong with it. Only fields the class names are ever read, so a
 * `__proto__` or `constructor` in the body is just an unknown field.
 */
export function readDto<T extends object>(
  type: new () => T,
  json: LosslessJson,
  context: FieldContext,
): ReadDto<T> {
  const reading = new Reading(context);
  const value = reading.object(type, json, []) ?? new type();
  return { value, errors: reading.errors, ignored: reading.ignored, said: reading.said };
}

class Reading {
  readonly errors: FieldError[] = [];
  readonly ignored: string[] = [];
  said = 0;

  constructor(private readonly context: FieldContext) {}

  object<T extends object>(type: new () => T, json: LosslessJson, path: readonly string[]): T | undefined {
    if (!isObject(json)) return void this.refuse(path, new Refusal('object', 'must be an object'));
    const target = new type();
    const { spelled, unknown } = this.sort(type, json, path);
    this.ignored.push(
      ...unknown
        .slice(0, MAX_IGNORED - this.ignored.length)
        .map((name) => [...path, name.replaceAll('.', '%2E')].join('.')),
    );
    const refused = new Set<string>();
    for (const name of fieldsOf(type)) {
      const spelling = spelled.get(name);
      if (spelling === undefined) continue;
      const raw = json[spelling] ?? null;
      const before = this.errors.length;
      this.count(type, name, raw);
      const read = raw === null ? null : this.field(type, name, raw, [...path, spelling]);
      if (this.errors.length > before) refused.add(name);
      else Reflect.set(target, name, read);
    }
    // Errors that are no longer counted are not known here.
    if (refused.size === 0 && this.errors.length < MAX_ERRORS)
      this.reconcile(target, unknown, path, spelled, refused);
    this.validate(target, path, spelled, refused);
    return target;
  }

  private count(type: new () => object, name: string, raw: LosslessJson): void {
    const prototype = type.prototype as object;
    const isLeaf = raw === null || Array.isArray(raw) || !nestedOf(prototype, name);
    if (isLeaf && !namesRecord(prototype, name)) this.said += 1;
  }

  /** Which field each name in an object is for. A field that is there in two spellings is refused. */
  private sort(type: new () => object, json: JsonObject, path: readonly string[]): Sorted {
    const known = fieldsOf(type);
    const spelled = new Map<string, string>();
    const unknown: string[] = [];
    for (const spelling of Object.keys(json)) {
      const name = known.has(spelling) || !this.context.lenient ? spelling : fieldNamed(type, spelling);
      if (name === undefined || !known.has(name)) unknown.push(spelling);
      else if (spelled.has(name)) {
        this.refuse([...path, spelling], new Refusal('twice', `is ${name}, which the body holds twice`));
      } else spelled.set(name, spelling);
    }
    return { spelled, unknown };
  }

  private reconcile(
    target: object,
    unknown: readonly string[],
    path: readonly string[],
    spelled: ReadonlyMap<string, string>,
    refused: Set<string>,
  ): void {
    const found = reconcilerOf(target)?.(target, unknown) ?? [];
    for (const {
      path: [field = '', ...rest],
      refusal,
    } of found) {
      refused.add(field);
      this.refuse([...path, spelled.get(field) ?? field, ...rest], refusal);
    }
  }

  private field(type: new () => object, name: string, raw: LosslessJson, path: readonly string[]): unknown {
    const prototype = type.prototype as object;
    const nested = nestedOf(prototype, name);
    if (nested?.max !== undefined) return this.list(nested.type(), nested.max, raw, path);
    if (nested) return this.object(nested.type(), raw, path);
    const read = (readerOf(prototype, name) ?? plainJson)(raw, this.context);
    if (read instanceof Refusal) this.refuse(path, read);
    return read;
  }

  private list(type: new () => object, max: number, raw: LosslessJson, path: readonly string[]): unknown {
    if (!Array.isArray(raw)) return void this.refuse(path, new Refusal('list', 'must be a list'));
    if (raw.length > max) return void this.refuse(path, new Refusal('list', `must hold at most ${max}`));
    return raw.map((item, index) => this.object(type, item, [...path, String(index)]));
  }

  /** What class-validator finds on fields that could be read at all. */
  private validate(
    target: object,
    path: readonly string[],
    spelled: ReadonlyMap<string, string>,
    refused: ReadonlySet<string>,
  ): void {
    for (const error of validateSync(target, { stopAtFirstError: true, forbidUnknownValues: false })) {
      if (refused.has(error.property)) continue;
      const missing = error.value === undefined || error.value === null;
      const [code, message] = missing
        ? ['required', 'is required']
        : (Object.entries(error.constraints ?? {})[0] ?? ['invalid', 'is not acceptable']);
      this.refuse([...path, spelled.get(error.property) ?? error.property], new Refusal(code, message));
    }
  }

  private refuse(path: readonly string[], { code, message }: Refusal): void {
    this.errors.push({ pointer: jsonPointer(path), code, message });
    if (this.errors.length > MAX_ERRORS) this.errors.length = MAX_ERRORS;
  }
}

/** The fields that a class names. */
export function fieldsOf(type: new () => object): ReadonlySet<string> {
  let fields = knownFields.get(type);
  if (!fields) {
    const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    fields = new Set(metadata.map(({ propertyName }) => propertyName));
    knownFields.set(type, fields);
  }
  return fields;
}

/**
 * What a field holds: objects of another class, or values without fields of their own. A field that nothing reads, as in
 * a reply's class, is what its TypeScript type says, and one that the class does not name is text.
 */
export function shapeOfField(type: new () => object, name: string): NestedField | WireKind {
  const prototype = type.prototype as object;
  const nested = nestedOf(prototype, name);
  if (nested) return nested;
  if (fieldsOf(type).has(name)) return kindOf(prototype, name);
  const declared: unknown = Reflect.getMetadata('design:type', prototype, name);
  if (declared === Number) return 'number';
  if (declared === Boolean) return 'flag';
  if (declared === Array) return 'texts';
  if (declared === String || declared === Object || typeof declared !== 'function') return 'text';
  return { type: () => declared as new () => object };
}

/** The field of a class that a name is for, in any letter case. */
export function fieldNamed(type: new () => object, spelling: string): string | undefined {
  const known = fieldsOf(type);
  if (known.has(spelling)) return spelling;
  let names = fieldsInLowerCase.get(type);
  if (!names) {
    names = new Map([...known].map((name) => [name.toLowerCase(), name]));
    fieldsInLowerCase.set(type, names);
  }
  return names.get(spelling.toLowerCase());
}

/**
 * Ordinary JavaScript values, for fields whose decorators say nothing of reading: numbers that a double
 * cannot represent exactly stay text, and keys that could reach a prototype are left out.
 */
function plainJson(json: LosslessJson): unknown {
  if (isLosslessNumber(json)) {
    const text = json.toString();
    const number = Number(text);
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number;
  }
  if (Array.isArray(json)) return json.map((item) => plainJson(item));
  if (!isObject(json)) return json;
  const entries = Object.entries(json).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, value]) => [key, plainJson(value)]));
}
