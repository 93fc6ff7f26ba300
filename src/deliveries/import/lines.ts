/** A line of a file. */
export interface Line {
  /** In its file, from 1. */
  readonly number: number;
  /** Without its end. */
  readonly bytes: Buffer;
}

const LINE_FEED = 0x0a;
const BLANK: readonly number[] = [0x09, 0x0d, 0x20];
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The lines of a text, those that hold nothing left out. @param first number of its first line */
export function* linesOf(text: Buffer, first: number): Generator<Line> {
  let number = first;
  for (let from = 0; from < text.length; number += 1) {
    const end = text.indexOf(LINE_FEED, from);
    const bytes = trimmed(text.subarray(from, end < 0 ? text.length : end));
    if (bytes.length > 0) yield { number, bytes };
    from = end < 0 ? text.length : end + 1;
  }
}

function trimmed(line: Buffer): Buffer {
  let from = line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  let to = line.length;
  while (from < to && BLANK.includes(line[from] ?? 0)) from += 1;
  while (to > from && BLANK.includes(line[to - 1] ?? 0)) to -= 1;
  return line.subarray(from, to);
}
