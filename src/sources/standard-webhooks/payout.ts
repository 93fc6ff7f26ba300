import type { PayoutEvent } from '../../events/event';
import { payoutKey } from '../mapping/keys';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext } from '../source';
import { amountOf } from './order';

/**
 * A payout as the message tells it: what a gateway moved to the bank.
 * @param sentAt the message's own timestamp, where the payout has none
 * @throws UnreadablePayload
 */
export function readPayout(message: Payload, sentAt: Date, context: SourceContext): PayoutEvent {
  const payout = message.at('data');
  const id = payout.identifier('id') ?? payout.missing('id');
  const key = payoutKey(context.source, id);
  const value =
    amountOf(payout, 'value', payout.currency('currency') ?? context.currency) ?? payout.missing('value');
  if (!value.isPositive) payout.fail('value', 'must be more than zero');
  const paidAt = payout.instant('paidAt', context.timeZone) ?? sentAt;
  return {
    type: 'payout.paid',
    key,
    occurredAt: paidAt,
    payout: {
      ...{ key, source: context.source, id, value, paidAt },
      gateway: payout.text('gateway') ?? '',
      test: payout.flag('test') && !flagSetting(context.settings, 'bookTestOrders'),
    },
    get raw() {
      return message.raw();
    },
  };
}
