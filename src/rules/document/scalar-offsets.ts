/**
 * For each character of a YAML scalar's value, where it stands in the document: quotes, escapes, folded lines
 * and the indentation of blocks make the two differ. Exact for everything but the spaces that YAML folds.
 *
 * @param source the document
 * @param range offsets of the scalar as written: with its quotes, or from a block's `|` or `>` on
 * @returns one offset more than the value has characters; the last is the scalar's end
 */
export function scalarOffsets(source: string, range: readonly [number, number], value: string): number[] {
  const [start, end] = range;
  const opening = source[start];
  if (opening === '"') return doubleQuotedOffsets(source, start + 1, end - 1);
  const isBlock = (opening === '|' || opening === '>') && value !== opening;
  let at = start;
  if (opening === "'") at += 1;
  else if (isBlock) at = source.indexOf('\n', start) + 1;
  const offsets: number[] = [];
  for (const character of value.split('')) {
    at = skipFolding(source, at, end, character);
    offsets.push(Math.min(at, end));
    at += opening === "'" && source[at] === "'" ? 2 : 1;
  }
  return [...offsets, Math.min(at, end)];
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r';
}

/** Over line breaks and indentation that the value does not have. */
function skipFolding(source: string, from: number, end: number, wanted: string): number {
  let at = from;
  while (at < end && source[at] !== wanted && isSpace(source[at]) && !isSpace(wanted)) at += 1;
  return at;
}

/** How many source characters an escape takes, by the letter after the backslash; two for every other letter. */
const ESCAPE_LENGTHS: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 };

/** Undoes double quotes as YAML does, keeping the places instead of the characters. */
function doubleQuotedOffsets(source: string, from: number, end: number): number[] {
  const offsets: number[] = [];
  let at = from;
  while (at < end) {
    const character = source[at];
    if (character === '\\') {
      const length = escapeLength(source, at);
      for (let unit = 0; unit < unitsOf(source, at); unit += 1) offsets.push(at);
      at += length;
    } else if (isSpace(character)) {
      const run = spacesFrom(source, at, end);
      offsets.push(...foldedSpaces(source.slice(at, run), at));
      at = run;
    } else {
      offsets.push(at);
      at += 1;
    }
  }
  return [...offsets, end];
}

function spacesFrom(source: string, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(source[at])) at += 1;
  return at;
}

/** Spaces within a line stay; one line break is a space, each further one a line break. */
function foldedSpaces(spaces: string, at: number): number[] {
  const breaks = spaces.split('\n').length - 1;
  const kept = breaks === 0 ? spaces.length : Math.max(1, breaks - 1);
  return Array.from({ length: kept }, (_, index) => at + (breaks === 0 ? index : 0));
}

function isEscapedBreak(source: string, at: number): boolean {
  return source[at + 1] === '\n' || (source[at + 1] === '\r' && source[at + 2] === '\n');
}

/** An escaped line break takes the next line's indentation with it. */
function escapeLength(source: string, at: number): number {
  if (!isEscapedBreak(source, at)) return ESCAPE_LENGTHS[source[at + 1] ?? ''] ?? 2;
  let next = source.indexOf('\n', at) + 1;
  while (source[next] === ' ' || source[next] === '\t') next += 1;
  return next - at;
}

/** How many UTF-16 units an escape stands for. */
function unitsOf(source: string, at: number): number {
  if (isEscapedBreak(source, at)) return 0;
  const isWide = source[at + 1] === 'U' && Number.parseInt(source.slice(at + 2, at + 10), 16) > 0xffff;
  return isWide ? 2 : 1;
}
