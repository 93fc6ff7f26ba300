import type { IncomingWebhook } from './source';
import { sha256Hex } from './signature';
import { isObject } from '../kernel/json-object';

const TOPIC = /^[\w./-]{1,100}$/;
const TOKEN = /^[\x21-\x7e]{1,200}$/;
const IDENTIFIER = /^[^\s/\p{C}]{1,100}$/u;

/** Whether a text is fit for an identifier: no spaces, no slashes (they separate the parts of business keys). */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

/** The topic as named, when it looks like one; else `unknown`. */
export function topicOf(text: unknown): string {
  return typeof text === 'string' && TOPIC.test(text) ? text : 'unknown';
}

/** A text, such as a header's value, when it is printable and short enough to be stored as a key; else undefined. */
export function tokenOf(text: unknown): string | undefined {
  return typeof text === 'string' && TOKEN.test(text) ? text : undefined;
}

/** Stands for exactly this content under this topic: for providers whose delivery ids say nothing. */
export function contentKey(topic: string, rawBody: Uint8Array): string {
  return `sha256:${sha256Hex(topic, '\n', rawBody)}`;
}

/**
 * The body's top level for choosing a lane, or nothing when it is no JSON object. Native parsing, because
 * this runs for every request before it is stored, and only for the lane: digits lost beyond 2^53 can at
 * most put two entities into one lane, where they are worked on one after another. Facts are read from a
 * lossless parse later.
 */
export function peekJson(rawBody: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(rawBody.toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** An object below a place of what {@link peekJson} has; empty where there is none. */
export function objectIn(place: Readonly<Record<string, unknown>>, name: string) {
  const value = place[name];
  return isObject(value) ? value : {};
}

/** The lane of an entity, `order/1001`; of the delivery alone when the body names no entity. */
export function laneOf(entity: string, id: unknown, dedupeKey: string): string {
  const named = typeof id === 'number' ? Number.isFinite(id) : typeof id === 'string' && isIdentifier(id);
  return named ? `${entity}/${String(id)}` : `delivery/${dedupeKey}`;
}

/** Those of the named headers that are there and fit to be kept. */
export function keepHeaders(
  request: IncomingWebhook,
  names: Readonly<Record<string, readonly string[]>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [attribute, headers] of Object.entries(names)) {
    const sent = headers.find((header) => request.headers[header] !== undefined);
    const value = sent === undefined ? undefined : tokenOf(request.headers[sent]);
    if (value !== undefined) kept[attribute] = value;
  }
  return kept;
}
