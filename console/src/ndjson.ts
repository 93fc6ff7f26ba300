/** What one request takes; see `docs/admin/sources.md`. */
const [MOST_BYTES, MOST_LINES] = [1_048_576, 10_000];

const LINE_FEED = 0x0a;

/** Part of a file that ends with the end of a line. */
export interface LinesPart {
  readonly lines: Blob;
  /** Number of its first line in the file, from 1. */
  readonly first: number;
  /** Number of the first line after it. */
  readonly next: number;
  /** Bytes of the file up to its end. */
  readonly until: number;
}

/** A line that is longer than a request. */
export class LongLine extends Error {
  override readonly name = 'LongLine';

  constructor(readonly line: number) {
    super(`line ${line}`);
  }
}

/**
 * A file's lines in parts that a request takes each; it is read part by part, however long it is.
 * @param from bytes and lines that are left out: those of the parts before
 * @throws LongLine
 */
export async function* partsOf(
  file: Blob,
  from: { until: number; first: number } = { until: 0, first: 1 },
): AsyncGenerator<LinesPart> {
  for (let { until, first } = from; until < file.size;) {
    const piece = new Uint8Array(await file.slice(until, until + MOST_BYTES).arrayBuffer());
    const isLast = until + piece.length >= file.size;
    const { end, lines } = cut(piece, isLast);
    if (end === 0) throw new LongLine(first);
    until += end;
    yield { lines: new Blob([piece.subarray(0, end)]), first, next: first + lines, until };
    first += lines;
  }
}

function cut(piece: Uint8Array, isLast: boolean): { end: number; lines: number } {
  let [end, lines] = [0, 0];
  while (lines < MOST_LINES) {
    const feed = piece.indexOf(LINE_FEED, end);
    if (feed < 0)
      return isLast && end < piece.length ? { end: piece.length, lines: lines + 1 } : { end, lines };
    end = feed + 1;
    lines += 1;
  }
  return { end, lines };
}
