import { isObject } from '../../kernel/json-object';
import { topicOf } from '../identity';
import { Payload } from '../payload';
import type { Settings, StoredWebhook } from '../source';
import { storeIdOf } from './settings';

/** What a notification of an order is about, as its body calls it. */
export const ORDER = 'order';
/** Members of a notification that go with what it is about. */
const BESIDE = ['trigger', 'customer'];
/** MongoDB's identifiers. */
const OBJECT_ID = /^[a-f0-9]{24}$/;

export interface Notification {
  readonly orderId: string;
  /** It says that the order was made. */
  readonly created: boolean;
}

type Body = Readonly<Record<string, unknown>>;

/** What a body is about: the member that holds it, `order`; a body with an identifier of its own is an order. */
export function kindOf(body: Body): string {
  if (typeof body._id === 'string') return ORDER;
  const members = Object.keys(body).filter((name) => isObject(body[name]));
  return topicOf(members.find((name) => !BESIDE.includes(name)) ?? members.at(-1));
}

/** The order in a body, not to be trusted; empty where there is none. */
export function orderIn(body: Body): Body {
  return isObject(body[ORDER]) ? body[ORDER] : body;
}

/**
 * The order that a notification is about. Nothing else of it is believed: nobody signs it.
 * @throws UnreadablePayload, also where it is of another store than the source's
 */
export function readNotification({ rawBody }: StoredWebhook, settings: Settings): Notification {
  const body = Payload.parse(rawBody);
  const order = body.has(ORDER) ? body.at(ORDER) : body;
  const orderId = order.text('_id')?.toLowerCase() ?? order.missing('_id');
  if (!OBJECT_ID.test(orderId)) order.fail('_id', 'is not the identifier of an order');
  checkStore(body, 'storeId', settings);
  checkStore(order, 'store_id', settings);
  return { orderId, created: body.loosely('trigger').textIfAny('action') === 'create' };
}

/** @throws UnreadablePayload where what has the number of a store has another one than the source's */
export function checkStore(place: Payload, key: string, settings: Settings): void {
  const store = place.text(key);
  const own = storeIdOf(settings);
  if (store !== undefined && own !== undefined && store !== own)
    place.fail(key, 'is another store than the one of this source');
}
