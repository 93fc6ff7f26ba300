import { isLosslessNumber } from '../../kernel/lossless-json';
import { boundedList, boundedText } from './facts';
import { RuleRefusal } from './refusal';
import { isObject } from '../../kernel/json-object';

/** CEL's name for an object of the payload. It has no declared fields: what is in it is known only at run time. */
export const RAW_OBJECT = 'RawObject';

/**
 * An object of a payload, read member by member and only as far as an expression goes. Its members are own
 * members of the payload alone: `__proto__` and `constructor` are names like any other.
 */
export class RawObject extends Map<string, unknown> {
  readonly #facts: object;

  constructor(facts: object) {
    super();
    this.#facts = facts;
  }

  /** undefined where the payload has nothing or null. */
  override get(name: string): unknown {
    if (super.has(name)) return super.get(name);
    if (!Object.hasOwn(this.#facts, name)) return undefined;
    const value = rawValue((this.#facts as Record<string, unknown>)[name], name) ?? undefined;
    super.set(name, value);
    return value;
  }

  override keys(): MapIterator<string> {
    throw new RuleRefusal('an object of the payload is not a list');
  }
}

/**
 * A value of a payload as expressions see it: text, true or false, a list, or an object. A number is its text,
 * exact to the last digit. In a list null stays null, so that positions hold.
 * @throws RuleRefusal when a text or list is larger than an expression may see
 */
export function rawValue(value: unknown, name: string): unknown {
  switch (typeof value) {
    case 'string':
      return boundedText(value, name);
    case 'boolean':
      return value;
    case 'number':
    case 'bigint':
      return String(value);
    case 'object':
      if (value === null) return null;
      if (isLosslessNumber(value)) return boundedText(value.toString(), name);
      if (Array.isArray(value)) return Array.from(boundedList(value, name), (item) => rawValue(item, name));
      return new RawObject(value);
    default:
      return null;
  }
}

/** The root of a payload; one that is no object has no members. */
export function rawRoot(payload: unknown): RawObject {
  return new RawObject(isObject(payload) ? payload : {});
}
