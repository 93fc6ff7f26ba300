import { oneLine } from './text';
import { isObject } from '../../kernel/json-object';

export type Fields = Readonly<Record<string, unknown>>;

/** The member at a dotted path: `status.reason`. */
export function valueAt(item: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), item);
}

/** Whether a value fits one line: a scalar, a list of scalars, or a few named ones. */
export function isFlat(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).every((member) => isScalar(member) || isScalars(member));
  return isScalar(value) || isScalars(value);
}

/** A flat value as one line; a dash where there is none. Anything deeper is JSON. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (isScalar(value)) return oneLine(String(value));
  if (isScalars(value)) return value.length === 0 ? '-' : value.map(inWords).join(', ');
  if (!isObject(value) || !isFlat(value)) return oneLine(JSON.stringify(value));
  const members = Object.entries(value).map(([name, member]) => `${oneLine(name)}=${inWords(member)}`);
  return members.length === 0 ? '-' : members.join(' ');
}

function isScalar(value: unknown): value is string | number | boolean | null | undefined {
  return typeof value !== 'object' || value === null;
}

function isScalars(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every(isScalar);
}
