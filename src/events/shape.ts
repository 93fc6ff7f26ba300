import { jsonPointer } from '../kernel/json-pointer';
import type { LosslessJson } from '../kernel/lossless-json';
import { didYouMean, nearestName } from '../kernel/nearest';
import type { FieldError } from '../kernel/problem';
import { isObject } from '../kernel/json-object';

const MOST_FAULTS = 100;

/** What is wrong in a value that is being read; at most a hundred. */
export class Faults {
  readonly found: FieldError[] = [];

  /** @returns undefined, for there is nothing to go on with */
  add(pointer: string, code: string, message: string): undefined {
    if (!this.isFull) this.found.push({ pointer, code, message });
    return undefined;
  }

  /** No more is told; what comes is not even looked into. */
  get isFull(): boolean {
    return this.found.length >= MOST_FAULTS;
  }
}

/** Reads one value. @returns undefined where it cannot be; `faults` then says why */
export type Reader<V> = (json: LosslessJson, pointer: string, faults: Faults) => V | undefined;

export interface Field<V, R extends boolean> {
  readonly required: R;
  readonly read: Reader<V>;
}

type IsRequired<T, K extends keyof T> = object extends Pick<T, K> ? false : true;

/** A reader for exactly the fields that `T` has: one forgotten or too many does not compile. */
export type Shape<T> = { readonly [K in keyof T]-?: Field<NonNullable<T[K]>, IsRequired<T, K>> };

export function needed<V>(read: Reader<V>): Field<V, true> {
  return { required: true, read };
}

export function possible<V>(read: Reader<V>): Field<V, false> {
  return { required: false, read };
}

/** An object with these fields and no others. `null` counts as absent. */
export function objectOf<T extends object>(shape: Shape<T>): Reader<T> {
  const fields = Object.entries<Field<unknown, boolean>>(shape);
  return (json, pointer, faults) => {
    if (!isObject(json)) return faults.add(pointer, 'object', 'must be an object');
    refuseUnknown(json, Object.keys(shape), pointer, faults);
    const result: Record<string, unknown> = {};
    let complete = true;
    for (const [name, { required, read }] of fields) {
      const value = Object.hasOwn(json, name) ? (json[name] ?? null) : null;
      const at = `${pointer}/${name}`;
      if (value === null && required) faults.add(at, 'required', 'is required');
      const fact = value === null ? undefined : read(value, at, faults);
      if (fact !== undefined) result[name] = fact;
      else if (required) complete = false;
    }
    return complete ? (result as T) : undefined;
  };
}

/** @param most elements it may have */
export function listOf<V>(read: Reader<V>, most: number): Reader<V[]> {
  return (json, pointer, faults) => {
    if (!Array.isArray(json)) return faults.add(pointer, 'list', 'must be a list');
    if (json.length > most) return faults.add(pointer, 'list', `must have at most ${most} elements`);
    const items = json.map((item, index) => read(item, `${pointer}/${index}`, faults));
    return items.every((item) => item !== undefined) ? items : undefined;
  };
}

function refuseUnknown(json: object, known: readonly string[], pointer: string, faults: Faults): void {
  for (const name of Object.keys(json)) {
    if (faults.isFull) return;
    if (known.includes(name)) continue;
    const at = `${pointer}${jsonPointer([name])}`;
    faults.add(at, 'unknown', `there is no such field${didYouMean(nearestName(name, known))}`);
  }
}
