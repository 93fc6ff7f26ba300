import { topicOf } from '../identity';
import { Payload } from '../payload';
import type { StoredWebhook } from '../source';

/** What Hotmart calls a sale by: it goes into the path of a request. */
const TRANSACTION = /^[A-Za-z0-9]{4,40}$/;
const PURCHASE = 'PURCHASE_';
/** A cart that was left; it names no sale. */
const CART_LEFT = 'PURCHASE_OUT_OF_SHOPPING_CART';
/** The product of the messages that the button for a test sends. */
const NO_PRODUCT = '0';

/** Hotmart's message, of which only what it is about is believed: nothing signs it. */
export interface Message {
  readonly event: string;
  /** The sale to fetch; undefined where the message is about none. */
  readonly transaction: string | undefined;
  /** Hotmart sent it to try the address: there is no such sale. */
  readonly isTest: boolean;
}

/** Whether an event is of a sale, and may have changed it. */
export function isAboutSale(event: string): boolean {
  return event.startsWith(PURCHASE) && event !== CART_LEFT;
}

/** @throws UnreadablePayload */
export function readMessage({ rawBody }: StoredWebhook): Message {
  const body = Payload.parse(rawBody);
  const event = topicOf(body.text('event') ?? body.missing('event'));
  if (!isAboutSale(event)) return { event, transaction: undefined, isTest: false };
  const data = body.at('data');
  if (data.loosely('product').textIfAny('id') === NO_PRODUCT)
    return { event, transaction: undefined, isTest: true };
  const purchase = data.at('purchase');
  const transaction = purchase.text('transaction') ?? purchase.missing('transaction');
  if (!TRANSACTION.test(transaction)) purchase.fail('transaction', 'is not what Hotmart calls a sale by');
  return { event, transaction, isTest: false };
}
