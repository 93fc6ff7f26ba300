/**
 * JavaScript's own parser of JSON is much faster than any written in JavaScript, and makes floats of numbers. So
 * those that would lose something are wrapped before it runs, `{"\x7f": "1.10"}`, and unwrapped after it.
 *
 * It is not given keys with escapes. V8 13 (Node 24) guesses a key from the objects it read before and compares
 * the guess with the text before its escapes are undone: after `{"\\": 1}`, it reads `{"\n": 1}` as `{"\\": 1}`.
 */

const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** The key of a wrapped number: a control character that JSON lets stand as it is. */
const KEY = '\x7f';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Of a number of so many digits, the float nearest to it is written with just these. */
const EXACT_DIGITS = 15;

/** JSON with wrapped numbers. */
export type MarkedJson = string | boolean | null | number | MarkedJson[] | { [key: string]: MarkedJson };

/**
 * Wraps numbers in JSON text, in one pass that also counts how deeply it is nested: before any parser recurses.
 * What is no number stays as it is, so text that was not JSON does not become JSON.
 * @param every false: only numbers that JavaScript would not write just as they stand here
 * @returns the text itself when there is nothing to wrap; `unfit`: JavaScript's own parser may not read this right
 */
export function markNumbers(
  text: string,
  maxDepth: number,
  every: boolean,
): { text: string } | 'too deep' | 'unfit' {
  let depth = 0;
  let result = '';
  let written = 0;
  let escape = nextEscape(text, 0);
  let unfit = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at, escape);
      if (escape < at) {
        unfit ||= isKey(text, at);
        escape = nextEscape(text, at);
      }
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > maxDepth) return 'too deep';
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (isDigit(code) || code === MINUS) {
      const end = endOfNumber(text, at);
      if (every || !isExact(text, at, end)) {
        const digits = text.slice(at, end);
        if (NUMBER.test(digits)) {
          result += `${text.slice(written, at)}{"${KEY}":"${digits}"}`;
          written = end;
        }
      }
      at = end - 1;
    }
  }
  if (unfit) return 'unfit';
  if (written === 0) return { text };
  return text.includes(KEY) ? 'unfit' : { text: result + text.slice(written) };
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

/** Where the next backslash stands. */
function nextEscape(text: string, from: number): number {
  const at = text.indexOf('\\', from);
  return at === -1 ? text.length : at;
}

/** Whether the string whose closing quote stands at `end` is the key of a member. */
function isKey(text: string, end: number): boolean {
  let at = end + 1;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === COLON;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Where the quote stands that closes the string that opens at `start`. @param escape where the next backslash stands */
function endOfString(text: string, start: number, escape: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    if (end < escape) return end;
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}

/** One past the last character that can be of a number. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (isDigit(code)) continue;
    // Besides the point, `+`, `-`, `e` and `E`
    if (code !== POINT && code !== 0x2b && code !== MINUS && (code | 0x20) !== 0x65) break;
  }
  return end;
}

function isExact(text: string, start: number, end: number): boolean {
  if (isPlain(text, start, end)) return true;
  const digits = text.slice(start, end);
  return String(Number(digits)) === digits;
}

/**
 * Whether it is certain without asking that JavaScript writes the number just as it stands here: with few digits, of which
 * neither the first is a zero, unless it is the only one, nor the last a zero behind a point.
 */
function isPlain(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  if (text.charCodeAt(first) === ZERO) return end === start + 1;
  if (end - first > EXACT_DIGITS) return false;
  let point = -1;
  for (let at = first; at < end; at += 1) {
    if (isDigit(text.charCodeAt(at))) continue;
    if (text.charCodeAt(at) !== POINT || point !== -1) return false;
    point = at;
  }
  return point === -1 ? end > first : text.charCodeAt(end - 1) > ZERO;
}
