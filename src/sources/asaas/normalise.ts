import type { CanonicalEvent } from '../../events/event';
import { askPerson, eventsOr } from '../mapping/normalised';
import { orderEvents, RECEIVED } from '../mapping/order-events';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { awaitedOf, type Charge, isCreditedEarly, readCharge } from './charge';
import { disputeOf } from './dispute';
import { fetchedCustomer, fetchedPayment, isAboutPayment, readMessage } from './message';
import { isTest, orderOf, settlementOf } from './order';

/**
 * The event that takes back what may have been booked. One that was removed and is there again takes nothing back: what is paid after
 * a write-off is income, and until then nothing is owed in the books.
 */
const UNDONE = 'PAYMENT_RECEIVED_IN_CASH_UNDONE';

/**
 * Nothing signs what Asaas sends: what is booked is the payment as fetched, in its state of that moment.
 * @throws UnreadablePayload
 */
export function normaliseAsaas(webhook: StoredWebhook, context: SourceContext): Normalised {
  const message = readMessage(webhook);
  if (!isAboutPayment(message.event)) return { ignored: `event ${message.event} is none that Ponte reads` };
  const payment = fetchedPayment(webhook, message);
  if (payment === undefined) return { ignored: 'the payment is not there any more' };
  const charge = readCharge(payment, context);
  const test = isTest(charge, context);
  if (charge.isUnknown)
    return putRight(charge, test, `is ${charge.status}, which Ponte does not know, and has a day of payment`);
  if (message.event === UNDONE && !charge.isPaid)
    return putRight(charge, test, 'was not paid in cash after all');
  return eventsOr(
    eventsOf(charge, message.event, webhook, context),
    `the payment is ${charge.status}: nothing was paid, and no boleto or Pix is waited for`,
  );
}

function eventsOf(
  charge: Charge,
  event: string,
  webhook: StoredWebhook,
  context: SourceContext,
): CanonicalEvent[] {
  const customer = fetchedCustomer(webhook, charge.place);
  const test = isTest(charge, context);
  const dispute = disputeOf(charge, webhook.receivedAt, test, context);
  const facts = orderOf(charge, customer, webhook, context, dispute.differences);
  const isUndated = facts.refunds.some(({ refundedAt }) => refundedAt === webhook.receivedAt);
  const state = {
    ...{ created: event === 'PAYMENT_CREATED', awaited: awaitedOf(charge, context.timeZone) },
    datedBy: {
      'order.cancelled': RECEIVED,
      ...(isUndated && { 'order.refunded': RECEIVED }),
      ...(isCreditedEarly(charge, context.timeZone) && { 'order.paid': 'estimatedCreditDate' }),
    },
  };
  return [
    ...orderEvents(facts, state, charge.place),
    ...[settlementOf(charge, test, context), dispute.event].filter((one) => one !== undefined),
  ];
}

function putRight({ id, orderKey, value }: Charge, test: boolean, what: string): Normalised {
  const detail = `payment ${id} of ${value.toString()} BRL ${what}: see it at Asaas, and put right by hand what was booked`;
  return askPerson(orderKey, detail, value, { test });
}
