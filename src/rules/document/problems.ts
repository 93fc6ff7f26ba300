/** Something wrong in a document, where a person finds it. */
export interface RuleProblem {
  /** 1-based */
  readonly line: number;
  /** 1-based, in UTF-16 units as editors count them */
  readonly column: number;
  /** A sentence; holds the suggestion as well. */
  readonly message: string;
  /** The known name that was most likely meant. */
  readonly nearest?: string;
}

/** Who has made more mistakes than this is shown these; what comes after them is not even looked into. */
export const MOST_PROBLEMS = 100;

/** Collects what is wrong in one document, by character offset; at most {@link MOST_PROBLEMS}. */
export class Problems {
  private readonly found: { offset: number; message: string; nearest?: string }[] = [];
  private readonly lineStarts: number[] = [0];

  constructor(text: string) {
    for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) {
      this.lineStarts.push(index + 1);
    }
  }

  add(offset: number, message: string, nearest?: string): void {
    if (!this.isFull) this.found.push({ offset, message, nearest });
  }

  /** No more problems are taken. */
  get isFull(): boolean {
    return this.found.length >= MOST_PROBLEMS;
  }

  get isEmpty(): boolean {
    return this.found.length === 0;
  }

  /** In the document's order. */
  list(): RuleProblem[] {
    return [...this.found]
      .sort((left, right) => left.offset - right.offset)
      .map(({ offset, message, nearest }) => ({
        ...this.positionOf(offset),
        message,
        ...(nearest === undefined ? {} : { nearest }),
      }));
  }

  private positionOf(offset: number): { line: number; column: number } {
    let [line, after] = [0, this.lineStarts.length];
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if ((this.lineStarts[middle] ?? Infinity) <= offset) line = middle;
      else after = middle;
    }
    return { line: line + 1, column: offset - (this.lineStarts[line] ?? 0) + 1 };
  }
}
