import { type Clock, SharedClock } from '../../src/kernel/clock';

/** A process's own clock as everybody's, where nobody else has another. */
export class OwnClock extends SharedClock {
  constructor(private readonly clock: Clock) {
    super();
  }

  override now(): Date {
    return this.clock.now();
  }

  override async sure(): Promise<void> {}

  override stopwatch(): () => number {
    const from = this.now().getTime();
    return () => this.now().getTime() - from;
  }
}
