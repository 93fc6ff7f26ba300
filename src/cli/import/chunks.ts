/** Bytes of a request: what Ponte takes of one. */
export const MOST_BYTES = 1024 * 1024;
/** Lines of a request, so that short ones are answered soon, too. */
const MOST_LINES = 1_000;
const LINE_FEED = 0x0a;
const LINE_END = Buffer.from([LINE_FEED]);

/** Whole lines that are sent together, or one that is longer than Ponte takes. */
export interface Chunk {
  /** Number of its first line in the file, from 1. */
  readonly first: number;
  /** undefined: the line is too long, and was not kept. */
  readonly bytes: Buffer | undefined;
}

/** Cuts a file at the ends of its lines as it is read. Never has more than one chunk and one line in memory. */
export class ChunkReader {
  private readonly lines: Buffer[] = [];
  private bytes = 0;
  private line: Buffer[] = [];
  private lineBytes = 0;
  private number = 1;

  /** @param from number of the first line that is wanted */
  constructor(private readonly from: number) {}

  async *read(parts: AsyncIterable<Buffer>): AsyncGenerator<Chunk> {
    for await (const part of parts) {
      let at = 0;
      for (let end = part.indexOf(LINE_FEED); end >= 0; end = part.indexOf(LINE_FEED, at)) {
        this.append(part.subarray(at, end));
        yield* this.endLine();
        at = end + 1;
      }
      this.append(part.subarray(at));
    }
    if (this.lineBytes > 0) yield* this.endLine();
    yield* this.flush();
  }

  /** Of a line that is too long its length alone is kept. */
  private append(bytes: Buffer): void {
    this.lineBytes += bytes.length;
    if (this.lineBytes > MOST_BYTES) this.line = [];
    else this.line.push(bytes);
  }

  private *endLine(): Generator<Chunk> {
    const [line, length] = [Buffer.concat(this.line), this.lineBytes];
    this.line = [];
    this.lineBytes = 0;
    if (this.number < this.from) {
      this.number += 1;
      return;
    }
    if (this.bytes + length + 1 > MOST_BYTES || this.lines.length >= MOST_LINES) yield* this.flush();
    const number = this.number;
    this.number += 1;
    if (length > MOST_BYTES) yield { first: number, bytes: undefined };
    else {
      this.lines.push(line);
      this.bytes += length + 1;
    }
  }

  private *flush(): Generator<Chunk> {
    if (this.lines.length === 0) return;
    const first = this.number - this.lines.length;
    const bytes = Buffer.concat(this.lines.flatMap((line, index) => (index > 0 ? [LINE_END, line] : [line])));
    this.lines.length = 0;
    this.bytes = 0;
    yield { first, bytes };
  }
}
