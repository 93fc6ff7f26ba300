import type { EffectRequest, EffectResult } from './effect';

/** How far the sending of an effect is that leaves the process. */
export interface SentSoFar {
  /** Tries that failed. */
  readonly attempts: number;
  /** When the effect was asked for. */
  readonly askedAt: Date;
}

/** Applies effects that leave the process, outside of any transaction: at least once for each key. */
export abstract class OutsideEffects {
  /**
   * Tries once.
   * @returns `pending` where another try makes sense, `refused` where only a person can do something
   * @throws what the database throws
   */
  abstract apply(request: EffectRequest, soFar: SentSoFar): Promise<EffectResult>;
}
