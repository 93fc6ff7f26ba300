import { DISPUTE_STATES, type DisputeEvent, type DisputeFacts } from '../../events/event';
import { defined } from '../mapping/defined';
import { disputeKey, orderKey } from '../mapping/keys';
import { disputeEvent } from '../mapping/order-events';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext } from '../source';
import { anyOf, positiveOf } from './amounts';

/**
 * A dispute as the message tells it.
 * @param sentAt the message's own timestamp, where the dispute has no times
 * @throws UnreadablePayload
 */
export function readDispute(message: Payload, sentAt: Date, context: SourceContext): DisputeEvent {
  const dispute = message.at('data');
  const zone = context.timeZone;
  const id = dispute.identifier('id') ?? dispute.missing('id');
  const key = disputeKey(context.source, id);
  const currency = dispute.currency('currency') ?? context.currency;
  const value = positiveOf(dispute, 'value', currency);
  const named = dispute.word('state') ?? 'open';
  const state =
    DISPUTE_STATES.find((known) => known === named) ?? dispute.fail('state', 'is none of a dispute');
  const openedAt = dispute.instant('openedAt', zone) ?? sentAt;
  const closedAt = state === 'open' ? undefined : (dispute.instant('closedAt', zone) ?? sentAt);
  const order = dispute.identifier('orderId');
  const facts: DisputeFacts = defined({
    ...{ key, source: context.source, id, value, state, openedAt },
    orderKey: order === undefined ? undefined : orderKey(context.source, order),
    closedAt,
    fee: anyOf(dispute, 'fee', currency),
    gateway: dispute.text('gateway') ?? '',
    test: dispute.flag('test') && !flagSetting(context.settings, 'bookTestOrders'),
  });
  return disputeEvent(facts, message);
}
