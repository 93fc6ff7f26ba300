/** Draws whole numbers: the same seed draws the same ones (a linear congruential generator of 48 bits). */
export class Draw {
  private state: bigint;

  constructor(seed: number) {
    this.state = (BigInt(seed) ^ 0x5deece66dn) & 0xffff_ffff_ffffn;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    this.state = (this.state * 0x5deece66dn + 0xbn) & 0xffff_ffff_ffffn;
    return low + (Number(this.state >> 17n) % (high - low + 1));
  }

  /** One of them. @throws RangeError when there are none */
  oneOf<T>(choices: readonly T[]): T {
    const [chosen] = choices.slice(this.between(0, choices.length - 1));
    if (chosen === undefined) throw new RangeError('there is nothing to choose from');
    return chosen;
  }

  /** The same elements in another order. */
  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, place: this.between(0, 2 ** 30) }))
      .sort((left, right) => left.place - right.place)
      .map(({ item }) => item);
  }
}
