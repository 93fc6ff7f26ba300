/** Lets so many do something at once; the others wait, in the order of their asking. */
export class Turns {
  private active = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.active < this.atOnce) this.active += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The turn is handed on, never put back, so that nobody who comes now can overtake who waits.
      const next = this.waiting.shift();
      if (next) next();
      else this.active -= 1;
    }
  }
}
