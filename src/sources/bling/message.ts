import { isGone, parseAnswer } from '../fetched';
import { topicOf } from '../identity';
import { Payload } from '../payload';
import type { Settings, StoredWebhook } from '../source';
import { companyOf, meaningsOf } from './settings';

export const ORDER_CREATED = 'order.created';
export const ORDER_UPDATED = 'order.updated';
export const ORDER_DELETED = 'order.deleted';
const ABOUT_ORDERS = [ORDER_CREATED, ORDER_UPDATED, ORDER_DELETED];

/** Identifiers of orders and contacts: they go into the path of a request. */
const ID = /^\d{1,20}$/;
/** What stands where an order has no contact, and an instalment no form of payment. */
const NONE = '0';

/** A notification of Bling: signed, and with little of what it is about. */
export interface Message {
  readonly body: Payload;
  readonly event: string;
  /** The order that it is about; undefined where it is about none. */
  readonly orderId: string | undefined;
}

/** Whether an event is of a sales order (pedido de venda). */
export function isAboutOrder(event: string): boolean {
  return ABOUT_ORDERS.includes(event);
}

/** @throws UnreadablePayload */
export function readMessage({ rawBody }: StoredWebhook): Message {
  const body = Payload.parse(rawBody);
  const event = topicOf(body.text('event') ?? body.missing('event'));
  return { body, event, orderId: isAboutOrder(event) ? idOf(body.at('data'), 'id') : undefined };
}

/**
 * Whether a notification is about another company than the source's: one application of Bling serves many.
 * @throws UnreadablePayload where it does not say which
 */
export function isOfAnother({ body }: Message, settings: Settings): boolean {
  const own = companyOf(settings);
  return own !== undefined && own !== (body.text('companyId') ?? body.missing('companyId'));
}

/** An order as Bling answered it. */
export interface FetchedOrder {
  /** The whole answer, for rules. */
  readonly answer: Payload;
  readonly order: Payload;
}

/** The order, as Bling answered; undefined where it is not there any more. @throws UnreadablePayload */
export function fetchedOrder(
  { fetched: [main] = [] }: StoredWebhook,
  { orderId }: Message,
): FetchedOrder | undefined {
  const answer = parseAnswer(main, 'the order was not fetched from Bling');
  return answer && { answer, order: asked(answer.at('data'), orderId) };
}

/** Who buys, as Bling answered; undefined where nobody asked, or there is none any more. @throws UnreadablePayload */
export function fetchedContact({ fetched = [] }: StoredWebhook, order: Payload): Payload | undefined {
  const [, contact] = fetched;
  if (contact === undefined || isGone(contact)) return undefined;
  return asked(Payload.parse(contact.body).at('data'), contactIdOf(order));
}

/** Who buys; undefined where the order does not say. @throws UnreadablePayload */
export function contactIdOf(order: Payload): string | undefined {
  return namedBy(order.at('contato'));
}

/** The number of what a place names; undefined where it names nothing. @throws UnreadablePayload */
export function namedBy(place: Payload): string | undefined {
  return (place.text('id') ?? NONE) === NONE ? undefined : idOf(place, 'id');
}

/** The number of an order's situation. @throws UnreadablePayload */
export function situationOf(order: Payload): string {
  return idOf(order.at('situacao'), 'id');
}

/** The number of an order. @throws UnreadablePayload */
export function orderIdOf(order: Payload): string {
  return idOf(order, 'id');
}

/** Why an order is not booked, whatever else it says; undefined: it is. @throws UnreadablePayload */
export function leftOutBecause(order: Payload, settings: Settings): string | undefined {
  const { leftOut, leftOutChannels } = meaningsOf(settings);
  const situation = situationOf(order);
  if (leftOut.includes(situation))
    return `the order is in situation ${situation}, in which it is no sale (leftOutSituations)`;
  const channel = order.loosely('loja').textIfAny('id');
  return channel !== undefined && leftOutChannels.includes(channel)
    ? `the order is of sales channel ${channel}, which is left out (leftOutChannels)`
    : undefined;
}

function asked(place: Payload, id: string | undefined): Payload {
  return idOf(place, 'id') === id ? place : place.fail('id', 'is not the one that was asked for');
}

function idOf(place: Payload, key: string): string {
  const id = place.text(key) ?? place.missing(key);
  return ID.test(id) ? id : place.fail(key, 'is not a number of Bling’s');
}
