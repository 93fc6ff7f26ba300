import { Clock } from '../../src/kernel/clock';

/** A clock that stands still until it is set. */
export class SettableClock extends Clock {
  private instant: Date;

  constructor(instant: string) {
    super();
    this.instant = new Date(instant);
  }

  override now(): Date {
    return this.instant;
  }

  set(instant: string): void {
    this.instant = new Date(instant);
  }
}
