import { isObject } from '../../kernel/json-object';
import { topicOf } from '../identity';
import { Payload, UnreadablePayload } from '../payload';
import { textSetting } from '../settings';
import type { Settings } from '../source';

/** What a notification is about, by its scope; absent: nothing that Ponte reads. */
const ENTITIES: ReadonlyMap<string, 'order' | 'customer'> = new Map([
  ['store/order/created', 'order'],
  ['store/order/updated', 'order'],
  ['store/order/statusUpdated', 'order'],
  ['store/order/refund/created', 'order'],
  ['store/order/transaction/created', 'order'],
  ['store/order/transaction/updated', 'order'],
  ['store/customer/created', 'customer'],
  ['store/customer/updated', 'customer'],
  ['store/customer/address/created', 'customer'],
  ['store/customer/address/updated', 'customer'],
]);
const ID = /^\d{1,15}$/;
export const STORE_HASH = /^[A-Za-z0-9]{1,40}$/;
/** Statuses of a checkout that is not finished. */
export const NOT_AN_ORDER = ['0', '1'];

/** A notification: it says what changed, and not how. */
export interface Notification {
  readonly entity: 'order' | 'customer';
  /** Of the order or customer. */
  readonly id: string;
  /** It says that the order was made: it is new, or its checkout was finished. */
  readonly created: boolean;
}

/** @throws UnreadablePayload @returns the reason why it means nothing, where it means nothing */
export function readNotification(rawBody: Buffer, settings: Settings): Notification | string {
  const body = Payload.parse(rawBody);
  const named = body.text('scope') ?? body.missing('scope');
  const scope = topicOf(named);
  const store = textSetting(settings, 'storeHash');
  if (store !== undefined && body.text('producer') !== `stores/${store}`)
    return 'the notification is of another store than that of the setting storeHash';
  const entity = ENTITIES.get(scope);
  if (!entity) return `scope ${scope} is none that Ponte reads`;
  const data = body.at('data');
  const [place, key] = idPlaces(scope, data);
  const id = place.identifier(key) ?? place.missing(key);
  if (!ID.test(id)) place.fail(key, 'is not a number');
  const before = data.loosely('status').textIfAny('previous_status_id');
  const isNew = scope === 'store/order/created' || (before !== undefined && NOT_AN_ORDER.includes(before));
  return { entity, id, created: isNew };
}

function idPlaces(scope: string, data: Payload): [place: Payload, key: string] {
  if (scope.startsWith('store/order/transaction/')) return [data, 'order_id'];
  return scope.startsWith('store/customer/address/') ? [data.at('address'), 'customer_id'] : [data, 'id'];
}

/** The lane of a notification that is not read yet: what it is about and its number. */
export function peekEntity(scope: string, data: unknown): [entity: string, id: unknown] {
  if (!isObject(data)) return ['order', undefined];
  if (scope.startsWith('store/customer/')) {
    const { address } = data;
    return ['customer', isObject(address) ? address.customer_id : data.id];
  }
  return ['order', scope.startsWith('store/order/') ? (data.order_id ?? data.id) : undefined];
}

/** The store's part of every path. @throws UnreadablePayload where the source does not say which store */
export function storePath(settings: Settings): string {
  const store = textSetting(settings, 'storeHash') ?? '';
  if (!STORE_HASH.test(store)) throw new UnreadablePayload('the source does not say which store: storeHash');
  return `/stores/${store}`;
}
