import type { CanonicalEvent, OrderFacts } from '../../events/event';
import { isGone } from '../fetched';
import { orderKey } from '../mapping/keys';
import { askPerson, eventsOr } from '../mapping/normalised';
import { orderEvents, type ReadOrder } from '../mapping/order-events';
import { type Payload, UnreadablePayload } from '../payload';
import type { FetchedAnswer, Normalised, SourceContext, StoredWebhook } from '../source';
import { isWithoutSales } from '../settings';
import { besideShop, entityOf } from './beside-shop';
import { chargebackEvent, isTest } from './dispute';
import { paymentOfChargeback, readAnswer, readChargebackOf, readNotification } from './notification';
import { isPaid, operationBesidesSales, readOrder } from './order';
import { isReplanned } from './payment';

/** Statuses of a payment that has no money in it. */
const UNPAID = ['pending', 'in_process', 'authorized', 'rejected', 'cancelled'];

/**
 * A notification names a payment or chargeback: what is booked is what Mercado Pago answered about it, in the state that
 * it had then.
 * @throws UnreadablePayload
 */
export function normaliseMercadoPago(webhook: StoredWebhook, context: SourceContext): Normalised {
  const notification = readNotification(webhook);
  if (notification === undefined) return { ignored: `topic ${webhook.topic} is none that Ponte reads` };
  const { kind, id } = notification;
  const [main, other] = webhook.fetched ?? [];
  if (main === undefined) throw new UnreadablePayload(`the ${kind} was not fetched from Mercado Pago`);
  if (isGone(main)) return { ignored: `the ${kind} ${id} is not there any more` };
  const answer = readAnswer(main, id);
  if (kind === 'payment') return ofPayment(answer, other, id, webhook, context);
  const named = paymentOfChargeback(answer);
  const payment = named === undefined ? undefined : present(other, named);
  return { events: [chargebackEvent(answer, payment, answer, webhook, context)] };
}

/** What was fetched besides; undefined where it is not there. */
function present(answer: FetchedAnswer | undefined, id: string): Payload | undefined {
  return answer === undefined || isGone(answer) ? undefined : readAnswer(answer, id);
}

function ofPayment(
  payment: Payload,
  other: FetchedAnswer | undefined,
  id: string,
  webhook: StoredWebhook,
  context: SourceContext,
): Normalised {
  const status = payment.word('status') ?? payment.missing('status');
  const operation = operationBesidesSales(payment);
  if (operation !== undefined) return noSale(payment, id, operation, context);
  const disputes = status === 'charged_back' ? disputesOf(payment, other, id, webhook, context) : [];
  if (isWithoutSales(context.settings))
    return besideShop(payment, disputes, isUndisputed(status, disputes) ? [NO_CHARGEBACK] : [], context);
  const order = readOrder(payment, webhook, context);
  const { facts, awaited } = order;
  if (isUnknown(payment, status, order)) return moneyUnknown(facts, status);
  const bookable = isUndisputed(status, disputes)
    ? { ...facts, differences: [...facts.differences, NO_CHARGEBACK] }
    : facts;
  const state = {
    ...{ created: false, awaited },
    datedBy: { ...BY_PAYMENT, ...(isReplanned(payment) && { 'order.paid': 'money_release_date' }) },
  };
  const events: CanonicalEvent[] = [...orderEvents(bookable, state, payment), ...disputes];
  return eventsOr(events, `the payment is ${status}: nothing was paid, and no boleto or Pix is waited for`);
}

/** Of an order nothing dates but a payment of it: the next one that the buyer tries dates it otherwise. */
const BY_PAYMENT = { 'order.pending': 'date_created', 'order.expired': 'date_created' };

const NO_CHARGEBACK = 'The payment is charged_back, but Mercado Pago has no chargeback of it.';

function isUndisputed(status: string, disputes: readonly CanonicalEvent[]): boolean {
  return status === 'charged_back' && disputes.length === 0;
}

/** What is no sale is no order; where it brought money, a person has to know what that was. */
function noSale(payment: Payload, id: string, operation: string, context: SourceContext): Normalised {
  const currency = payment.currency('currency_id') ?? payment.missing('currency_id');
  const value = payment.amount('transaction_amount', currency);
  const reason = `the operation of the payment is ${operation}, which is no sale`;
  const key = isWithoutSales(context.settings)
    ? `${context.source}/${entityOf(payment)}`
    : orderKey(context.source, id);
  if (!isPaid(payment) || isTest(payment) || !value?.isPositive) return { ignored: reason };
  const detail = `payment ${id} of ${value.toString()} ${currency} is no sale, but ${operation}: see it at Mercado Pago and book it by hand`;
  const question = askPerson(key, detail, value, { ignored: reason });
  return isWithoutSales(context.settings) ? { ...question, key } : question;
}

/** The chargeback of a payment, found by the payment's number: it has a number of its own. */
function disputesOf(
  payment: Payload,
  answer: FetchedAnswer | undefined,
  id: string,
  webhook: StoredWebhook,
  context: SourceContext,
): CanonicalEvent[] {
  if (answer === undefined || isGone(answer)) return [];
  const chargeback = readChargebackOf(answer, id);
  return [chargebackEvent(chargeback, payment, payment, webhook, context)];
}

/** Whether a payment may have money in it of which nobody knows whether the shop still has it. */
function isUnknown(payment: Payload, status: string, { facts }: Omit<ReadOrder, 'status'>): boolean {
  if (facts.payments.length > 0) return false;
  return !UNPAID.includes(status) || (status === 'cancelled' && payment.has('date_approved'));
}

function moneyUnknown({ key, total, test }: OrderFacts, status: string): Normalised {
  const detail = `a payment is ${status} and may have money in it, which Ponte does not know how to book: see it at Mercado Pago and book it by hand`;
  return askPerson(key, detail, total, { test });
}
