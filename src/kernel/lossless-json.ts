import { isAscii } from 'node:buffer';
import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import { type MarkedJson, markNumbers, unmarkNumbers } from './json-numbers';

export { isLosslessNumber, LosslessNumber };

/** A JSON value whose numbers kept every digit they arrived with. */
export type LosslessJson =
  string | boolean | null | LosslessNumber | LosslessJson[] | { [key: string]: LosslessJson };

/**
 * As {@link LosslessJson}, but a number that JavaScript writes just as it was sent is that number. `String(…)` of
 * either kind is the text as it was sent. Quicker to make, for those who read a few fields of many.
 */
export type ExactJson =
  string | boolean | null | number | LosslessNumber | ExactJson[] | { [key: string]: ExactJson };

/** Deeper nesting than any real payload has; a parser that recurses stays far from its stack's end. */
export const MAX_JSON_DEPTH = 64;

/** The bytes are not UTF-8, not JSON, or nested too deeply. The message is safe to show. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses UTF-8 bytes of JSON without losing a digit: numbers become {@link LosslessNumber}, whose
 * `toString()` is the text as it was sent. A key `__proto__` is an ordinary key.
 * @throws JsonError
 */
export function parseJsonBytes(bytes: Uint8Array): LosslessJson {
  return read(bytes, true) as LosslessJson;
}

/**
 * As {@link parseJsonBytes}, with numbers as {@link ExactJson} has them.
 * @throws JsonError
 */
export function parseExactJson(bytes: Uint8Array): ExactJson {
  return read(bytes, false);
}

/** @param every whether every number becomes a {@link LosslessNumber} */
function read(bytes: Uint8Array, every: boolean): ExactJson {
  const text = decoded(bytes);
  const marked = markNumbers(text, MAX_JSON_DEPTH, every);
  if (marked === 'too deep') throw new JsonError(`nested deeper than ${MAX_JSON_DEPTH} levels`);
  if (marked === 'unfit') return readSlowly(text);
  let json: MarkedJson;
  try {
    json = JSON.parse(marked.text) as MarkedJson;
  } catch {
    return readSlowly(text);
  }
  return marked.text === text
    ? json
    : (unmarkNumbers(json, (digits) => new LosslessNumber(digits)) as ExactJson);
}

function decoded(bytes: Uint8Array): string {
  // Many senders escape everything else, and this is ten times as fast.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new JsonError('not valid UTF-8');
  }
}

/** Character by character, and says where it broke. */
function readSlowly(text: string): LosslessJson {
  try {
    return parse(text, undefined, { onDuplicateKey: ({ newValue }) => newValue }) as LosslessJson;
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    throw new JsonError(position ? `not valid JSON (at character ${position})` : 'not valid JSON');
  }
}

/** Compact JSON text; numbers are written as they came. */
export function writeJson(json: LosslessJson): string {
  return stringify(json) ?? 'null';
}
