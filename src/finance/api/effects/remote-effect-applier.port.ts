import type { EffectRequest, EffectResult } from './effect';

/**
 * Applies effects to a remote finance service, one after another, each business key once for ever. Unlike
 * `EffectApplier` it works outside of any transaction of the caller's: intents and outcomes are committed as
 * they come, and a caller that dies is followed by another that asks for the same effect again.
 */
export abstract class RemoteEffectApplier {
  /**
   * @param deliveryId the delivery that waits: it is made ready as soon as there is more to say
   * @returns `refused` with code `effect-unknown` when only a person can decide, `effect-abandoned` when one has
   * @throws what the database throws
   */
  abstract apply(request: EffectRequest, deliveryId: string): Promise<EffectResult>;

  /**
   * Milliseconds for which nothing should be asked of the organization's finance service (it is down, or asked
   * to be left alone); 0: go on.
   */
  abstract backoffMs(organizationId: string): number;

  /** Whether the organization's finance service was found down, and has answered nothing since. */
  abstract isDown(organizationId: string): boolean;

  /** Calls at once that an organization allows; how much work is worth leasing. */
  abstract callsAtOnce(organizationId: string): Promise<number>;
}
