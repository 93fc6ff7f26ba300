import type { OrderFacts, PaymentFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { readInstalments } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { orderKey, paymentKey } from '../mapping/keys';
import { sumDifference } from '../mapping/lines';
import { orderEvents, type PaymentDate } from '../mapping/order-events';
import type { Payload } from '../payload';
import { textSetting } from '../settings';
import type { Normalised, SourceContext } from '../source';
import { amountOf, currencyOf, signedOf, timeOf } from './amounts';
import { customerOfCharge } from './customer';
import { captureDifferences, refundsOf } from './refund';
import { GATEWAY, identifierOf, orderIdOf, type StripeEvent } from './stripe-event';

/**
 * A charge that brought money is a paid order. It is the one object of a sale that makes an order's events: it has the
 * method, the buyer and what went back.
 * @throws UnreadablePayload
 */
export function readCharge(event: StripeEvent, context: SourceContext): Normalised {
  const charge = event.object;
  const status = charge.word('status') ?? charge.missing('status');
  if (status !== 'succeeded') return { ignored: `the charge is ${status}: nothing was paid` };
  if (!charge.flag('captured'))
    return { ignored: 'the charge is authorised and not captured: charge.captured brings the payment' };
  return { events: orderEvents(orderOf(event, context), { created: false }, event.message) };
}

function orderOf(event: StripeEvent, context: SourceContext): OrderFacts {
  const charge = event.object;
  const { id, number } = orderIdOf(charge);
  const key = orderKey(context.source, id);
  const captured = capturedOf(charge, currencyOf(charge));
  const chosen = instalmentsOf(charge, context);
  const { payment, differences } = paymentOf(event, key, captured.value);
  const refunds = refundsOf(event, key, payment);
  return {
    ...{ key, source: context.source, id, number, total: captured.value },
    createdAt: createdAtOf(charge),
    updatedAt: event.at,
    paidAt: payment.paidAt,
    instalments: chosen.instalments,
    test: event.test,
    customer: customerOfCharge(charge, key, context),
    payments: [payment],
    refunds,
    lines: [],
    differences: [
      ...captured.differences,
      ...chosen.differences,
      ...differences,
      ...sharedOut(charge, captured.value),
      ...(refunds.length > 0 ? captureDifferences(charge, captured.value) : []),
    ],
  };
}

function createdAtOf(charge: Payload): Date {
  return timeOf(charge, 'created') ?? charge.missing('created');
}

/** What was taken of what the buyer allowed. */
function capturedOf(charge: Payload, currency: string): { value: Money; differences: string[] } {
  const value = amountOf(charge, 'amount', currency) ?? charge.missing('amount');
  const captured = amountOf(charge, 'amount_captured', currency) ?? value;
  if (captured.isPositive) return { value: captured, differences: [] };
  const sentence = `The charge of ${value.toString()} ${currency} is captured, but its captured amount is zero.`;
  return { value, differences: [sentence] };
}

/** An event of the payment dates it; one of a refund only says when the charge was made. */
function dateOf(event: StripeEvent): PaymentDate {
  return event.type === 'charge.refunded'
    ? { paidAt: createdAtOf(event.object), datedBy: 'created' }
    : { paidAt: event.at };
}

function paymentOf(
  event: StripeEvent,
  key: string,
  value: Money,
): { payment: PaymentFacts; differences: string[] } {
  const charge = event.object;
  const id = identifierOf(charge, 'payment_intent') ?? charge.identifier('id') ?? charge.missing('id');
  const details = charge.loosely('payment_method_details');
  const kept = keptOf(charge, value);
  const payment: PaymentFacts = defined({
    ...{ key: paymentKey(key, id), gateway: GATEWAY, method: methodOf(details), value },
    brand: details.loosely('card').textIfAny('brand'),
    fee: kept.fee,
    net: kept.net,
    ...dateOf(event),
  });
  return { payment, differences: kept.differences };
}

/** `credit_card` and `debit_card`, as the table `paymentTiming` has them; every other method in Stripe's own word. */
function methodOf(details: Payload): string {
  const type = details.textIfAny('type') ?? '';
  if (type !== 'card' && type !== 'card_present') return type;
  return details.loosely(type).textIfAny('funding') === 'debit' ? 'debit_card' : 'credit_card';
}

/** What Stripe keeps of a payment and what it passes on, where the balance transaction is expanded; else nobody says it. */
function keptOf(charge: Payload, value: Money): { fee?: Money; net?: Money; differences: string[] } {
  const balance = charge.loosely('balance_transaction');
  if (!balance.has('fee')) return { differences: [] };
  const { currency } = value;
  const settledIn = currencyOf(balance);
  if (settledIn !== currency) return { differences: [`Stripe's fee is in ${settledIn}, so it is left out.`] };
  const fee = amountOf(balance, 'fee', currency);
  const net = signedOf(balance, 'net', currency);
  const parts = net === undefined ? [] : [net.minor, fee?.minor];
  return {
    ...(fee?.isPositive && { fee }),
    ...(net && !net.isNegative && { net }),
    differences: sumDifference("Stripe's fee and net value come to", parts, value),
  };
}

function instalmentsOf(charge: Payload, context: SourceContext): ReturnType<typeof readInstalments> {
  const metadata = charge.loosely('metadata');
  const preferred = textSetting(context.settings, 'instalmentsField');
  const card = charge.loosely('payment_method_details').loosely('card');
  return readInstalments([
    preferred === undefined ? undefined : metadata.textIfAny(preferred),
    card.loosely('installments').loosely('plan').textIfAny('count'),
    metadata.textIfAny('installments'),
    metadata.textIfAny('parcelas'),
  ]);
}

/**
 * A sentence about what of a charge goes to another account of Stripe: that of a platform that sold for the shop, or, where the
 * shop is the platform, that of who sells there. The fee of a platform is in Stripe's own, where the charge has that.
 * @throws UnreadablePayload
 */
function sharedOut(charge: Payload, captured: Money): string[] {
  const { currency } = captured;
  const fee = amountOf(charge, 'application_fee_amount', currency);
  const transfer = charge.loosely('transfer_data');
  if (transfer.has('destination')) {
    const rest = fee && captured.compare(fee) > 0 ? captured.minus(fee) : captured;
    const going = amountOf(transfer, 'amount', currency) ?? rest;
    return [
      `${going.withCurrency()} of it go to another account of Stripe (transfer_data): book that by hand.`,
    ];
  }
  return fee?.isPositive && !charge.loosely('balance_transaction').has('fee')
    ? [`A platform keeps ${fee.withCurrency()} of it as its application fee: book that by hand.`]
    : [];
}
