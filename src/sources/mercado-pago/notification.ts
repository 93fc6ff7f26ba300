import { Payload, UnreadablePayload } from '../payload';
import type { FetchedAnswer, StoredWebhook } from '../source';

/** What a notification is about. */
export type Kind = 'payment' | 'chargeback';

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['payment', 'payment'],
  ['topic_chargebacks_wh', 'chargeback'],
]);
/** What Mercado Pago calls payments and chargebacks by: fit to be part of a path. */
const NUMBER = /^\d{1,40}$/;

export interface Notification {
  readonly kind: Kind;
  readonly id: string;
}

/** What notifications of a topic are about; undefined where Ponte does not read them. */
export function kindOf(topic: string): Kind | undefined {
  return KINDS.get(topic);
}

/** Whether a text is a number that Mercado Pago calls a payment or chargeback by. */
export function isNumber(text: string | undefined): text is string {
  return text !== undefined && NUMBER.test(text);
}

/**
 * What a notification is about; undefined where its topic is none that Ponte reads. The body is not signed: it must not
 * name anything else than the address does.
 * @throws UnreadablePayload
 */
export function readNotification({ rawBody, attributes }: StoredWebhook): Notification | undefined {
  const body = Payload.parse(rawBody);
  const kind = kindOf(body.word('type') ?? body.missing('type'));
  if (kind === undefined) return undefined;
  const data = body.at('data');
  const id = data.identifier('id') ?? data.missing('id');
  if (!isNumber(id)) return data.fail('id', `is not the number of a ${kind}`);
  if (attributes.dataId !== undefined && attributes.dataId !== id)
    return data.fail('id', 'is not the one of the address, which is signed');
  return { kind, id };
}

/**
 * The payment or chargeback that Mercado Pago answered with.
 * @param id that was asked for
 * @throws UnreadablePayload where it is about another one
 */
export function readAnswer({ name, body }: FetchedAnswer, id: string): Payload {
  const answer = Payload.parse(body);
  if (answer.identifier('id') === id) return answer;
  throw new UnreadablePayload(`Mercado Pago answered with another ${name} than the one asked for`);
}

/** The payment that a chargeback is of; undefined where it names none, or several. */
export function paymentOfChargeback(chargeback: Payload): string | undefined {
  const [id, another] = chargeback.texts('payments');
  return another === undefined && isNumber(id) ? id : undefined;
}

/**
 * The chargeback that Mercado Pago answered with when it was asked by a payment's number.
 * @throws UnreadablePayload where it is of another payment
 */
export function readChargebackOf({ body }: FetchedAnswer, payment: string): Payload {
  const chargeback = Payload.parse(body);
  if (chargeback.texts('payments').includes(payment)) return chargeback;
  throw new UnreadablePayload('Mercado Pago answered with a chargeback of another payment');
}
