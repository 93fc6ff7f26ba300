import { PAYOUT_LINE_KINDS, type PayoutEvent, type PayoutFacts, type PayoutLine } from '../../events/event';
import { MOST_PAYOUT_LINES } from '../../events/limits';
import { defined } from '../mapping/defined';
import { orderKey, payoutKey } from '../mapping/keys';
import { withRaw } from '../mapping/order-events';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext } from '../source';
import { anyOf, changeOf, positiveOf } from './amounts';

/**
 * A payout as the message tells it: what a gateway moved to the bank.
 * @param sentAt the message's own timestamp, where the payout has none
 * @throws UnreadablePayload
 */
export function readPayout(message: Payload, sentAt: Date, context: SourceContext): PayoutEvent {
  const payout = message.at('data');
  const id = payout.identifier('id') ?? payout.missing('id');
  const key = payoutKey(context.source, id);
  const currency = payout.currency('currency') ?? context.currency;
  const value = positiveOf(payout, 'value', currency);
  const lines = payout
    .items('lines', MOST_PAYOUT_LINES)
    .map((line) => lineOf(line, currency, context.source));
  const paidAt = payout.instant('paidAt', context.timeZone) ?? sentAt;
  const facts: PayoutFacts = defined({
    ...{ key, source: context.source, id, value, paidAt },
    fee: anyOf(payout, 'fee', currency),
    lines: lines.length > 0 ? lines : undefined,
    gateway: payout.text('gateway') ?? '',
    test: payout.flag('test') && !flagSetting(context.settings, 'bookTestOrders'),
  });
  return withRaw({ type: 'payout.paid', key, occurredAt: paidAt, payout: facts }, message);
}

function lineOf(line: Payload, currency: string, source: string): PayoutLine {
  const named = line.word('kind') ?? line.missing('kind');
  const order = line.identifier('orderId');
  return {
    kind: PAYOUT_LINE_KINDS.find((known) => known === named) ?? line.fail('kind', 'is none of a payout'),
    value: changeOf(line, 'value', currency),
    ...(order !== undefined && { orderKey: orderKey(source, order) }),
  };
}
