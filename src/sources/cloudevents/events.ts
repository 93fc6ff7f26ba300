import { isObject } from '../../kernel/json-object';
import { sha256Hex } from '../signature';

/** Most events of one batch. */
export const MOST_EVENTS = 500;

const OPEN_LIST = 0x5b;
const SPACE = [0x20, 0x09, 0x0a, 0x0d];

type Json = Readonly<Record<string, unknown>>;

/** Whether the body is a list, as that of a batch is. The type of the content says so too, and nothing signs that. */
export function isBatch(rawBody: Buffer): boolean {
  return rawBody.find((byte) => !SPACE.includes(byte)) === OPEN_LIST;
}

/** The events of a body for choosing a lane and a key; none when it is no JSON of objects. It never throws. */
export function peekEvents(rawBody: Buffer): readonly Json[] {
  try {
    const value: unknown = JSON.parse(rawBody.toString('utf8'));
    const all: unknown[] = Array.isArray(value) ? value : [value];
    return all.length <= MOST_EVENTS && all.every((one) => isObject(one)) ? all : [];
  } catch {
    return [];
  }
}

/**
 * What the events are known by: the `source` and `id` of each. A batch of one event is known as that event; one that is sent
 * again with another event is another delivery.
 * @returns undefined where one of them has none
 */
export function keyOfEvents(events: readonly Json[]): string | undefined {
  const names = events.map(({ source, id }) => [source, id]);
  const isNamed = names.length > 0 && names.flat().every((text) => typeof text === 'string' && text !== '');
  return isNamed ? `events:${sha256Hex(JSON.stringify(names))}` : undefined;
}
