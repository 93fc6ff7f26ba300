import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';

export { isLosslessNumber, LosslessNumber };

/** A JSON value whose numbers kept every digit they arrived with. */
export type LosslessJson =
  string | boolean | null | LosslessNumber | LosslessJson[] | { [key: string]: LosslessJson };

/** Deeper nesting than any real payload has; a parser that recurses stays far from its stack's end. */
export const MAX_JSON_DEPTH = 64;

/** The bytes are not UTF-8, not JSON, or nested too deeply. The message is safe to show. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Refuses nesting beyond `MAX_JSON_DEPTH` in one pass over the bytes, before any parser recurses. */
function checkDepth(bytes: Uint8Array): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) throw new JsonError(`nested deeper than ${MAX_JSON_DEPTH} levels`);
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
}

/**
 * Parses UTF-8 bytes of JSON without losing a digit: numbers become {@link LosslessNumber}, whose
 * `toString()` is the text as it was sent. A key `__proto__` is an ordinary key.
 * @throws JsonError
 */
export function parseJsonBytes(bytes: Uint8Array): LosslessJson {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new JsonError('not valid UTF-8');
  }
  checkDepth(bytes);
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
