import type { Transaction } from '../../database/transaction';
import type { EffectRequest, EffectResult } from './effect';

/**
 * Applies effects to the finance system, each business key once for ever.
 *
 * Embedded: everything happens in the caller's transaction, effect and idempotency record together; the
 * caller's roll-back undoes both. A refusal is a result and leaves the transaction usable; an exception
 * means that nothing of the batch may be kept.
 */
export abstract class EffectApplier {
  /**
   * @param requests of any organizations; no key twice within one call for one organization is applied twice:
   *   the second sees `existing`
   * @returns results in the order of the requests
   */
  abstract apply(tx: Transaction, requests: readonly EffectRequest[]): Promise<EffectResult[]>;
}
