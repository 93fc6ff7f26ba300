import type { BillFacts } from '../../events/bill';
import {
  type BillEvent,
  DISPUTE_STATES,
  type DisputeEvent,
  type DisputeFacts,
  type FeeEvent,
  PAYOUT_LINE_KINDS,
  type PayoutEvent,
  type PayoutFacts,
  type PayoutLine,
  type SettlementEvent,
} from '../../events/event';
import type { FeeFacts } from '../../events/fee';
import { MOST_PAYOUT_LINES } from '../../events/limits';
import type { SettlementFacts } from '../../events/settlement';
import { defined } from '../mapping/defined';
import {
  billKey,
  disputeKey,
  feeKey,
  looseSettlementKey,
  orderKey,
  paymentKey,
  payoutKey,
  settlementKey,
} from '../mapping/keys';
import { disputeEvent, withRaw } from '../mapping/order-events';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext } from '../source';
import { anyOf, changeOf, countOf, positiveOf } from './amounts';

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

/**
 * A fee as the message tells it: what a gateway kept, or gave back.
 * @param sentAt the message's own timestamp, where the fee has no time
 * @throws UnreadablePayload
 */
export function readFee(message: Payload, sentAt: Date, context: SourceContext): FeeEvent {
  const fee = message.at('data');
  const id = fee.identifier('id') ?? fee.missing('id');
  const key = feeKey(context.source, id);
  const chargedAt = fee.instant('chargedAt', context.timeZone) ?? sentAt;
  const facts: FeeFacts = defined({
    ...{ key, source: context.source, id, chargedAt },
    value: positiveOf(fee, 'value', fee.currency('currency') ?? context.currency),
    returned: fee.flag('returned') || undefined,
    description: fee.text('description'),
    gateway: fee.text('gateway') ?? '',
    test: fee.flag('test') && !flagSetting(context.settings, 'bookTestOrders'),
  });
  return withRaw({ type: 'fee.charged', key, occurredAt: chargedAt, fee: facts }, message);
}

/**
 * A supplier's bill that was paid, as the message tells it.
 * @param sentAt the message's own timestamp, where the bill has no time
 * @throws UnreadablePayload
 */
export function readBill(message: Payload, sentAt: Date, context: SourceContext): BillEvent {
  const bill = message.at('data');
  const id = bill.identifier('id') ?? bill.missing('id');
  const key = billKey(context.source, id);
  const supplier = bill.at('supplier');
  const paidAt = bill.instant('paidAt', context.timeZone) ?? sentAt;
  const facts: BillFacts = defined({
    ...{ key, source: context.source, id, paidAt },
    supplier: defined({
      name: supplier.text('name') ?? supplier.missing('name'),
      document: supplier.text('document'),
    }),
    value: positiveOf(bill, 'value', bill.currency('currency') ?? context.currency),
    description: bill.text('description'),
    category: bill.text('category'),
    test: bill.flag('test') && !flagSetting(context.settings, 'bookTestOrders'),
  });
  return withRaw({ type: 'bill.paid', key, occurredAt: paidAt, bill: facts }, message);
}
