/** How many source characters a double-quoted escape takes, by the letter after the backslash. */
const ESCAPE_LENGTHS: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 };

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\t' || character === '\n' || character === '\r';

const isBreak = (character: string | undefined): boolean => character === '\n' || character === '\r';

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
  const opening = source[start] ?? '';
  const isBlock = (opening === '|' || opening === '>') && value !== opening;
  let at = start;
  if (opening === '"' || opening === "'") at += 1;
  else if (isBlock) at = source.indexOf('\n', start) + 1;
  const offsets: number[] = [];
  for (const character of value.split('')) {
    at = skipFolding(source, at, end, character, opening === '"');
    offsets.push(Math.min(at, end));
    at += widthAt(source, at, opening);
  }
  offsets.push(Math.min(at, end));
  return offsets;
}

/** Over source characters that the value does not have: line breaks, indentation, escaped line breaks. */
function skipFolding(source: string, from: number, end: number, wanted: string, escapes: boolean): number {
  let at = from;
  while (at < end && source[at] !== wanted) {
    if (isSpace(source[at]) && !isSpace(wanted)) at += 1;
    else if (escapes && source[at] === '\\' && isBreak(source[at + 1])) at += 2;
    else break;
  }
  return at;
}

/** How many source characters stand for the one value character here. */
function widthAt(source: string, at: number, opening: string): number {
  if (opening === "'" && source[at] === "'") return 2;
  if (opening !== '"' || source[at] !== '\\') return 1;
  return ESCAPE_LENGTHS[source[at + 1] ?? ''] ?? 2;
}
