import { SharedClock } from '../../src/kernel/clock';

/** A clock that stands still until it is set: everybody's. */
export class SettableClock extends SharedClock {
  private instant: Date;

  constructor(instant: string) {
    super();
    this.instant = new Date(instant);
  }

  override now(): Date {
    return this.instant;
  }

  override async sure(): Promise<void> {}

  override stopwatch(): () => number {
    const from = this.instant.getTime();
    return () => this.instant.getTime() - from;
  }

  set(instant: string): void {
    this.instant = new Date(instant);
  }
}
