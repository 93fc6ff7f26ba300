import { isObject } from '../../kernel/json-object';
import { topicOf } from '../identity';
import { Payload } from '../payload';

const SAVED =
  /^com\.adobe\.commerce\.observer\.(sales_order|sales_order_invoice|sales_order_creditmemo|customer)_save(?:_commit)?_after$/;
const PLACED = 'com.adobe.commerce.observer.sales_order_place_after';
const ID = /^\d{1,18}$/;
const NUMBER = /^[\w.-]{1,60}$/;

/** An event of Adobe Commerce: it names what was saved, and has of it the fields that the shop chose to send. */
export interface Notification {
  readonly entity: 'order' | 'customer';
  /** Its `entity_id`; absent: an order that only its number names. */
  readonly id?: string;
  /** The order's number, `increment_id`. */
  readonly number?: string;
  /** It says that the order was made just now. */
  readonly created: boolean;
}

/** @throws UnreadablePayload @returns the reason why it means nothing, where it means nothing */
export function readNotification(rawBody: Buffer): Notification | string {
  const body = Payload.parse(rawBody);
  const type = topicOf(body.text('type') ?? body.missing('type'));
  const kind = kindOf(type);
  if (kind === undefined) return `type ${type} is none that Ponte reads`;
  const value = body.at('data').at('value');
  const created = type === PLACED || (kind === 'sales_order' && isNew(value));
  const entity = kind === 'customer' ? 'customer' : 'order';
  const keys = idKeys(kind);
  const key = keys.find((name) => value.has(name));
  const id = key === undefined ? undefined : value.identifier(key);
  if (id !== undefined && key !== undefined)
    return ID.test(id) ? { entity, id, created } : value.fail(key, 'is not a number');
  const number = kind === 'sales_order' ? value.identifier('increment_id') : undefined;
  if (number === undefined) return value.missing(keys[0] ?? 'entity_id');
  return NUMBER.test(number)
    ? { entity, number, created }
    : value.fail('increment_id', 'is not the number of an order');
}

/** What an event is about that is not read yet, for its lane. */
export function peekEntity(type: string, data: unknown): [entity: string, id: unknown] {
  const kind = kindOf(type);
  const value = isObject(data) && isObject(data.value) ? data.value : {};
  const key = kind && idKeys(kind).find((name) => Object.hasOwn(value, name));
  return [kind === 'customer' ? 'customer' : 'order', key && value[key]];
}

function kindOf(type: string): string | undefined {
  return type === PLACED ? 'sales_order' : SAVED.exec(type)?.[1];
}

/** Invoices and credit memos name their order; an order's own `entity_id` is sent as `id`, too. */
function idKeys(kind: string): readonly string[] {
  return kind === 'sales_order' || kind === 'customer' ? ['entity_id', 'id'] : ['order_id'];
}

function isNew(value: Payload): boolean {
  const createdAt = value.textIfAny('created_at');
  return createdAt !== undefined && createdAt === value.textIfAny('updated_at');
}
