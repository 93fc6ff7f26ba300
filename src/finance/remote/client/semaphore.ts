/** Lets so many do something at once; the others wait, in the order of their asking. */
export class Semaphore {
  private active = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  /** Waits for a permit. @returns what ends it; ending it again does nothing */
  async take(): Promise<() => void> {
    if (this.active < this.atOnce) this.active += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let ended = false;
    return () => {
      if (!ended) this.handOn();
      ended = true;
    };
  }

  /** The permit is handed on, never put back, so that nobody who comes now can overtake who waits. */
  private handOn(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.active -= 1;
  }
}
