import { getMetadataStorage, validateSync } from 'class-validator';
import { isLosslessNumber, type LosslessJson } from '../kernel/lossless-json';
import { jsonPointer } from '../kernel/json-pointer';
import type { FieldError } from '../kernel/problem';
import { nestedOf, readerOf, Refusal, type FieldContext } from './field';

/** A body as read. With errors, the value is not to be used. */
export interface ReadDto<T> {
  value: T;
  errors: FieldError[];
  /** Fields the class does not know, as dotted paths; a dot within a name is `%2E`. */
  ignored: string[];
}

type JsonObject = Record<string, LosslessJson>;

/** More than a person reads; a body made of nothing but errors must not become a reply many times its size. */
const MAX_ERRORS = 100;
const MAX_IGNORED = 1000;

const knownFields = new WeakMap<object, ReadonlySet<string>>();

/**
 * Reads parsed JSON into an instance of `type`, field by field as its decorators say (see `validation.ts`),
 * and finds everything that is wrong with it. Only fields the class names are ever looked at, so a
 * `__proto__` or `constructor` in the body is just an unknown field.
 */
export function readDto<T extends object>(
  type: new () => T,
  json: LosslessJson,
  context: FieldContext,
): ReadDto<T> {
  const reading = new Reading(context);
  const value = reading.object(type, json, []) ?? new type();
  return { value, errors: reading.errors, ignored: reading.ignored };
}

class Reading {
  readonly errors: FieldError[] = [];
  readonly ignored: string[] = [];

  constructor(private readonly context: FieldContext) {}

  object<T extends object>(type: new () => T, json: LosslessJson, path: readonly string[]): T | undefined {
    if (!isJsonObject(json)) return void this.refuse(path, new Refusal('object', 'must be an object'));
    const target = new type();
    const known = fieldsOf(type);
    this.ignored.push(
      ...Object.keys(json)
        .filter((name) => !known.has(name))
        .slice(0, MAX_IGNORED - this.ignored.length)
        .map((name) => [...path, name.replaceAll('.', '%2E')].join('.')),
    );
    const refused = new Set<string>();
    for (const name of known) {
      const raw = Object.hasOwn(json, name) ? json[name] : undefined;
      if (raw === undefined) continue;
      const before = this.errors.length;
      const read = raw === null ? null : this.field(type, name, raw, [...path, name]);
      if (this.errors.length > before) refused.add(name);
      else Reflect.set(target, name, read);
    }
    this.validate(target, path, refused);
    return target;
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
  private validate(target: object, path: readonly string[], refused: ReadonlySet<string>): void {
    for (const error of validateSync(target, { stopAtFirstError: true, forbidUnknownValues: false })) {
      if (refused.has(error.property)) continue;
      const missing = error.value === undefined || error.value === null;
      const [code, message] = missing
        ? ['required', 'is required']
        : (Object.entries(error.constraints ?? {})[0] ?? ['invalid', 'is not acceptable']);
      this.refuse([...path, error.property], new Refusal(code, message));
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

function isJsonObject(json: LosslessJson): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !isLosslessNumber(json);
}

/**
 * Ordinary JavaScript values, for fields whose decorators say nothing of reading: numbers that a double
 * cannot hold exactly stay text, and keys that could reach a prototype are left out.
 */
function plainJson(json: LosslessJson): unknown {
  if (isLosslessNumber(json)) {
    const text = json.toString();
    const number = Number(text);
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number;
  }
  if (Array.isArray(json)) return json.map((item) => plainJson(item));
  if (!isJsonObject(json)) return json;
  const entries = Object.entries(json).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, value]) => [key, plainJson(value)]));
}
