import { isGone, parseAnswer } from '../fetched';
import { topicOf } from '../identity';
import { Payload } from '../payload';
import type { StoredWebhook } from '../source';

/** Identifiers of payments and customers: they go into the path of a request. */
const IDENTIFIER = /^[A-Za-z0-9_-]{1,100}$/;

/** Events of payments that say nothing of money: somebody opened the invoice or the boleto. */
const VIEWED = ['PAYMENT_BANK_SLIP_VIEWED', 'PAYMENT_CHECKOUT_VIEWED'];

/** Asaas's event, of which only what it is about is believed: nothing signs it. */
export interface Message {
  readonly event: string;
  /** The payment to fetch; undefined where the event means nothing. */
  readonly paymentId: string | undefined;
}

/** Whether an event is of a payment, and may have changed it. */
export function isAboutPayment(event: string): boolean {
  return event.startsWith('PAYMENT_') && !VIEWED.includes(event);
}

/** @throws UnreadablePayload */
export function readMessage(webhook: StoredWebhook): Message {
  const body = Payload.parse(webhook.rawBody);
  const event = topicOf(body.text('event') ?? body.missing('event'));
  return { event, paymentId: isAboutPayment(event) ? pathPart(body.at('payment'), 'id') : undefined };
}

/** The payment, as Asaas answered; undefined where it is not there any more. @throws UnreadablePayload */
export function fetchedPayment(
  { fetched: [main] = [] }: StoredWebhook,
  { paymentId }: Message,
): Payload | undefined {
  const payment = parseAnswer(main, 'the payment was not fetched');
  return payment && checkId(payment, paymentId, 'payment');
}

/** The customer, as Asaas answered; undefined where nobody asked, or there is none any more. @throws UnreadablePayload */
export function fetchedCustomer({ fetched = [] }: StoredWebhook, payment: Payload): Payload | undefined {
  const answer = fetched[1];
  if (answer === undefined || isGone(answer)) return undefined;
  return checkId(Payload.parse(answer.body), customerIdOf(payment), 'customer');
}

/** Who pays; undefined where the payment does not say. @throws UnreadablePayload */
export function customerIdOf(payment: Payload): string | undefined {
  return payment.has('customer') ? pathPart(payment, 'customer') : undefined;
}

function checkId(payload: Payload, id: string | undefined, kind: string): Payload {
  const isAsked = (payload.identifier('id') ?? payload.missing('id')) === id;
  return isAsked ? payload : payload.fail('id', `is not that of the ${kind} that was asked for`);
}

function pathPart(place: Payload, key: string): string {
  const id = place.text(key) ?? place.missing(key);
  return IDENTIFIER.test(id) ? id : place.fail(key, 'is not an identifier');
}
