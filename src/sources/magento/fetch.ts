import { MOST_PAYMENTS, MOST_REFUNDS } from '../../events/limits';
import { answerTo, bearerHeaders, parseAnswer } from '../fetched';
import { type Payload, UnreadablePayload } from '../payload';
import { apiUrlOf } from '../settings';
import type { FetchAccess, FetchBack, FetchRequest, SourceApi, StoredWebhook } from '../source';
import { WAITING } from './amounts';
import { type Notification, readNotification } from './notification';

/** What the shop's API answered about one event. */
export interface Answers {
  /** The order or customer; undefined: it is not there any more. */
  readonly main: Payload | undefined;
  readonly invoices: readonly Payload[];
  readonly creditMemos: readonly Payload[];
}

const LISTS = [
  { name: 'invoices', most: MOST_PAYMENTS },
  { name: 'creditmemos', most: MOST_REFUNDS },
] as const;

export const magentoApi: SourceApi = {
  credentials: {
    accessToken: {
      description:
        'Access token of an integration of the shop (System, Extensions, Integrations) that may read orders, invoices, credit memos and customers.',
    },
  },
  baseUrl: (settings) => apiUrlOf(settings, ''),
};

export const fetchBack: FetchBack = { next, orderingKey };

/** Headers of every request. */
export function magentoHeaders({ credentials }: FetchAccess): Record<string, string> {
  return bearerHeaders(credentials.accessToken);
}

function next(webhook: StoredWebhook, access: FetchAccess): FetchRequest | undefined {
  const notification = readNotification(webhook.rawBody);
  if (typeof notification === 'string') return undefined;
  const headers = magentoHeaders(access);
  const { entity } = notification;
  if (!answerTo(webhook, entity)) return { name: entity, path: pathOf(notification), headers };
  const main = entity === 'order' ? mainOf(webhook, notification) : undefined;
  if (!main || !hasMoney(main)) return undefined;
  const list = LISTS.find(({ name }) => !answerTo(webhook, name));
  if (!list) return undefined;
  const id = main.identifier('entity_id') ?? main.missing('entity_id');
  return { name: list.name, path: searchPath(list.name, 'order_id', id, list.most), headers };
}

/** An order that only its number named is worked on in the lane of all that name its identifier. */
function orderingKey(webhook: StoredWebhook): string | undefined {
  const notification = readNotification(webhook.rawBody);
  if (typeof notification === 'string' || notification.number === undefined) return undefined;
  const id = mainOf(webhook, notification)?.identifier('entity_id');
  return id === undefined ? undefined : `order/${id}`;
}

function pathOf({ entity, id, number = '' }: Notification): string {
  return id === undefined
    ? searchPath('orders', 'increment_id', number, 2)
    : `/rest/V1/${entity}s/${encodeURIComponent(id)}`;
}

function searchPath(list: string, field: string, value: string, most: number): string {
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const wanted = `${filter}[field]=${field}&${filter}[value]=${encodeURIComponent(value)}`;
  return `/rest/V1/${list}?${wanted}&searchCriteria[pageSize]=${most}`;
}

/** @throws UnreadablePayload where something was not fetched, or is of another order or customer */
export function readAnswers(webhook: StoredWebhook, notification: Notification): Answers {
  const main = mainOf(webhook, notification);
  if (!main || notification.entity === 'customer' || !hasMoney(main))
    return { main, invoices: [], creditMemos: [] };
  const id = main.identifier('entity_id') ?? main.missing('entity_id');
  const [invoices = [], creditMemos = []] = LISTS.map(({ name, most }) => listOf(webhook, name, most, id));
  return { main, invoices, creditMemos };
}

/** The order or customer that was asked for. @throws UnreadablePayload */
function mainOf(webhook: StoredWebhook, { entity, id, number }: Notification): Payload | undefined {
  const body = parseAnswer(answerTo(webhook, entity), `the ${entity} has not been fetched`);
  if (!body || id === undefined) return body && numbered(body, number);
  const key = entity === 'order' ? 'entity_id' : 'id';
  if (body.identifier(key) !== id) body.fail(key, `is not that of the ${entity} that was asked for`);
  return body;
}

/** The one order with a number. Each store of a shop may count on its own, so that there can be several. */
function numbered(body: Payload, number: string | undefined): Payload | undefined {
  if (!body.has('items')) body.missing('items');
  const [order, another] = body.items('items');
  if (another) body.fail('items', 'has several orders of this number: have entity_id sent with the event');
  if (order && order.identifier('increment_id') !== number)
    order.fail('increment_id', 'is not that of the order that was asked for');
  return order;
}

function listOf(webhook: StoredWebhook, name: string, most: number, orderId: string): readonly Payload[] {
  const body = parseAnswer(answerTo(webhook, name), `the ${name} of the order have not been fetched`);
  if (!body) return [];
  if (!body.has('total_count')) body.missing('total_count');
  const items = body.items('items', most);
  if (body.text('total_count') !== String(items.length))
    throw new UnreadablePayload(`there are more ${name} than are read`);
  for (const item of items)
    if (item.identifier('order_id') !== orderId) item.fail('order_id', 'is not that of the order');
  return items;
}

/** Whether there can be invoices or credit memos. */
function hasMoney(order: Payload): boolean {
  const isWaiting = WAITING.includes(order.word('state') ?? order.missing('state'));
  return !isWaiting || ['total_paid', 'total_invoiced'].some((name) => /[1-9]/.test(order.text(name) ?? ''));
}
