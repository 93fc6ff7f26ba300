import type { SettlementEvent } from '../../events/event';
import type { SettlementFacts } from '../../events/settlement';
import { defined } from '../mapping/defined';
import { looseSettlementKey, orderKey, paymentKey, settlementKey } from '../mapping/keys';
import { withRaw } from '../mapping/order-events';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext } from '../source';
import { anyOf, countOf, positiveOf } from './amounts';

/**
 * An instalment that the acquirer paid, as the message tells it. Its key is that of the payment's plan, where the message
 * names the order; without a payment it is of the order's one payment.
 * @param sentAt the message's own timestamp, where the settlement has no time
 * @throws UnreadablePayload
 */
export function readSettlement(message: Payload, sentAt: Date, context: SourceContext): SettlementEvent {
  const settlement = message.at('data');
  const { source } = context;
  const id = settlement.identifier('id') ?? settlement.missing('id');
  const order = settlement.identifier('orderId');
  const payment = settlement.identifier('paymentId');
  if (payment !== undefined && order === undefined) settlement.missing('orderId');
  const ofOrder = order === undefined ? undefined : orderKey(source, order);
  const ofPayment = ofOrder === undefined ? undefined : paymentKey(ofOrder, payment);
  const number = countOf(settlement, 'number');
  const of = countOf(settlement, 'of');
  if (number > of) settlement.fail('number', 'is more than of');
  const key = ofPayment === undefined ? looseSettlementKey(source, id) : settlementKey(ofPayment, number);
  const currency = settlement.currency('currency') ?? context.currency;
  const settledAt = settlement.instant('settledAt', context.timeZone) ?? sentAt;
  const facts: SettlementFacts = defined({
    ...{ key, source, id, number, of, settledAt, value: positiveOf(settlement, 'value', currency) },
    orderKey: ofOrder,
    paymentKey: ofPayment,
    fee: anyOf(settlement, 'fee', currency),
    gateway: settlement.text('gateway') ?? '',
    test: settlement.flag('test') && !flagSetting(context.settings, 'bookTestOrders'),
  });
  return withRaw({ type: 'payment.settled', key, occurredAt: settledAt, settlement: facts }, message);
}
