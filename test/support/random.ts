/** Repeatable randomness: the same seed gives the same run (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** One of them. @throws Error when there are none */
  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('there is nothing to choose from');
    return choices[this.between(0, choices.length - 1)] as T;
  }
}
