import type { Transaction } from '../../../database/transaction';
import type { EffectRequest, EffectResult } from './effect';

/** Effects of one transaction on their way to the finance system. */
export interface EffectBatch {
  /**
   * Decides what becomes of each. Whatever is applied counts for what is asked next.
   * @param requests of any organizations; no key twice within one batch for one organization is applied twice:
   *   the second sees `existing`
   * @returns results in the order of the requests
   */
  apply(requests: readonly EffectRequest[]): Promise<EffectResult[]>;

  /** Writes what was decided. To be called once, after everything was asked; nothing counts without it. */
  finish(): Promise<void>;
}

/**
 * Applies effects to the finance system, each business key once for ever.
 *
 * Embedded: everything happens in the caller's transaction, effect and idempotency record together; the
 * caller's roll-back undoes both. A refusal is a result and leaves the transaction usable; an exception
 * means that nothing of the batch may be kept.
 */
export abstract class EffectApplier {
  abstract begin(tx: Transaction): EffectBatch;

  /** Effects that do not depend on each other: see {@link EffectBatch.apply}. */
  async apply(tx: Transaction, requests: readonly EffectRequest[]): Promise<EffectResult[]> {
    const batch = this.begin(tx);
    const results = await batch.apply(requests);
    await batch.finish();
    return results;
  }
}
