/**
 * JavaScript's own parser of JSON is much faster than any written in JavaScript, and makes floats of numbers. So
 * those that would lose something are wrapped before it runs, `{"\u0000": "1.10"}`, and unwrapped after it.
 */

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;

/** The key of a wrapped number. JSON text cannot spell it other than by {@link ESCAPED_KEY}. */
const KEY = '\0';
const ESCAPED_KEY = '\\u0000';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** A float holds every whole number of so many digits. */
const EXACT_DIGITS = 15;

/** JSON with wrapped numbers. */
export type MarkedJson = string | boolean | null | number | MarkedJson[] | { [key: string]: MarkedJson };

/**
 * Wraps numbers in JSON text, in one pass that also counts how deeply it is nested: before any parser recurses.
 * What is no number stays as it is, so text that was not JSON does not become JSON.
 * @param every false: only numbers that JavaScript would not write just as they stand here
 * @returns the text itself when there is nothing to wrap
 */
export function markNumbers(
  text: string,
  maxDepth: number,
  every: boolean,
): { text: string } | 'too deep' | 'cannot be marked' {
  let depth = 0;
  let result = '';
  let written = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > maxDepth) return 'too deep';
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (isDigit(code) || code === MINUS) {
      const end = endOfNumber(text, at);
      if (every || !isExact(text, at, end)) {
        const digits = text.slice(at, end);
        if (NUMBER.test(digits)) {
          result += `${text.slice(written, at)}{"${ESCAPED_KEY}":"${digits}"}`;
          written = end;
        }
      }
      at = end - 1;
    }
  }
  if (written === 0) return { text };
  return text.includes(ESCAPED_KEY) ? 'cannot be marked' : { text: result + text.slice(written) };
}

/** Unwraps what {@link markNumbers} wrapped, in place. @param numberOf from a number's text as it was sent */
export function unmarkNumbers<N>(json: MarkedJson, numberOf: (digits: string) => N): unknown {
  if (typeof json !== 'object' || json === null) return json;
  const members = json as Record<string, unknown>;
  const digits = members[KEY];
  if (digits !== undefined) return numberOf(digits as string);
  // An own member is written, whatever it is called: the parser has made it, `__proto__` included.
  for (const key of Object.keys(members)) {
    const member = members[key] as MarkedJson;
    if (typeof member === 'object' && member !== null) members[key] = unmarkNumbers(member, numberOf);
  }
  return members;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Where the quote stands that closes the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let escape = end - 1;
    while (text.charCodeAt(escape) === BACKSLASH) escape -= 1;
    if ((end - escape) % 2 === 1) return end;
  }
}

/** One past the last character that can be of a number. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (isDigit(code)) continue;
    // `.`, `+`, `-`, `e` and `E`
    if (code !== 0x2e && code !== 0x2b && code !== MINUS && (code | 0x20) !== 0x65) break;
  }
  return end;
}

function isExact(text: string, start: number, end: number): boolean {
  if (end - start <= EXACT_DIGITS && text.charCodeAt(start) > ZERO && isWhole(text, start, end)) return true;
  const digits = text.slice(start, end);
  return String(Number(digits)) === digits;
}

function isWhole(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (!isDigit(text.charCodeAt(at))) return false;
  return true;
}
