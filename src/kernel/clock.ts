/** The only source of "now": injected, so that a test can stop it. */
export abstract class Clock {
  abstract now(): Date;
}

/**
 * The clock that all replicas share: the database's. Whatever replicas compare with what another one wrote down is
 * reckoned by it, so that clocks of machines that differ decide nothing.
 */
export abstract class SharedClock extends Clock {
  /**
   * Waits until {@link now} is right again, where this machine was suspended since it was measured.
   * @throws DatabaseUnavailable
   */
  abstract sure(): Promise<void>;

  /**
   * Starts to measure. @returns milliseconds since then, those included in which this machine was suspended; setting
   * its clock forward counts, too
   */
  abstract stopwatch(): () => number;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
