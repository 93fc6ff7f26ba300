import { topicOf } from '../identity';
import { Payload } from '../payload';
import type { Settings, StoredWebhook } from '../source';
import { accountOf, bareDocument } from './settings';

const CREATED = 'inclusao_pedido';
export const UPDATED = 'atualizacao_pedido';
const ABOUT_ORDERS = [CREATED, UPDATED, 'situacao_pedido'];
const ID = /^\d{1,20}$/;
/** Where a notification has the order's number: the second is that of integrations of e-commerces. */
const ID_NAMES = ['id', 'idVendaTiny'] as const;

/** Tiny's notification, of which only what it is about is believed: nothing signs it. */
export interface Message {
  readonly type: string;
  /** The order to fetch; undefined where it is about none. */
  readonly orderId: string | undefined;
  /** It says that the order was made. */
  readonly created: boolean;
}

/** Whether notifications of this type are of sales orders. */
export function isAboutOrder(type: string): boolean {
  return ABOUT_ORDERS.includes(type);
}

/** What a notification's `dados` has for the order's number, not to be trusted. */
export function orderNumberIn(data: Readonly<Record<string, unknown>>): unknown {
  return data.id ?? data.idVendaTiny;
}

/** Whether a notification was made of Tiny's list, and says when the order changed. */
export function isListed(data: Readonly<Record<string, unknown>>): boolean {
  return typeof data.listed === 'string';
}

/** @throws UnreadablePayload, also where it is of another account than the source's */
export function readMessage({ rawBody }: StoredWebhook, settings: Settings): Message {
  const body = Payload.parse(rawBody);
  const type = topicOf(body.text('tipo') ?? body.missing('tipo'));
  if (!isAboutOrder(type)) return { type, orderId: undefined, created: false };
  checkAccount(body, settings);
  const data = body.at('dados');
  const name = ID_NAMES.find((one) => data.has(one)) ?? 'id';
  return { type, orderId: numberIn(data, name), created: type === CREATED };
}

/** An identifier of Tiny's. @throws UnreadablePayload */
export function numberIn(place: Payload, key: string): string {
  const id = place.text(key) ?? place.missing(key);
  return ID.test(id) ? id : place.fail(key, 'is not a number of Tiny’s');
}

function checkAccount(body: Payload, settings: Settings): void {
  const own = accountOf(settings);
  if (own === undefined) return;
  if (bareDocument(body.text('cnpj') ?? body.missing('cnpj')) !== own)
    body.fail('cnpj', 'is another account than the one of this source');
}
