import type { FeeEvent } from '../../events/event';
import type { FeeFacts } from '../../events/fee';
import type { Money } from '../../kernel/money';
import type { Payload } from '../payload';
import { withRaw } from './order-events';

/**
 * What a gateway kept of money, or gave back of what it kept.
 * @param kept below zero where it was given back; not zero
 */
export function feeEvent(
  facts: Omit<FeeFacts, 'value' | 'returned'>,
  kept: Money,
  payload: Pick<Payload, 'raw'>,
): FeeEvent {
  const fee: FeeFacts = {
    ...facts,
    value: kept.isNegative ? kept.negated() : kept,
    ...(kept.isNegative && { returned: true }),
  };
  return withRaw({ type: 'fee.charged', key: fee.key, occurredAt: fee.chargedAt, fee }, payload);
}
