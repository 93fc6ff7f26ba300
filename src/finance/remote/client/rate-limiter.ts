/** The rate at which an organization's finance service may be called, shared by all replicas. */
export abstract class RateLimiter {
  /**
   * Takes the next free slot, unless it is more than `patienceMs` away: then none is taken, so that who only
   * asks does not push it further.
   * @returns milliseconds to wait for it
   */
  abstract take(organizationId: string, perSecond: number, patienceMs: number): Promise<number>;

  /** Nobody calls for so many milliseconds: the service asked for it. */
  abstract throttle(organizationId: string, milliseconds: number): Promise<void>;
}
