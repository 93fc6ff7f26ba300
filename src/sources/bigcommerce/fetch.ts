import { MOST_PAYMENTS, MOST_REFUNDS } from '../../events/limits';
import { Payload } from '../payload';
import { apiUrlOf } from '../settings';
import {
  type FetchAccess,
  type FetchBack,
  type FetchedAnswer,
  type FetchRequest,
  type SourceApi,
  type Settings,
  type StoredWebhook,
  UnreadablePayload,
} from '../source';
import { readNotification, storePath } from './notification';
import { statusOf } from './status';

/** What BigCommerce's API answered about one notification. */
export interface Answers {
  /** The order, or the list with the customer; undefined: it is not there any more. */
  readonly main: Payload | undefined;
  readonly transactions: readonly Payload[];
  readonly refunds: readonly Payload[];
}

const GONE = [404, 410];
const PARTS = ['transactions', 'refunds'] as const;

export const bigcommerceApi: SourceApi = {
  credentials: {
    accessToken: {
      description:
        'Access token of the API account, with the scopes Orders, Order Transactions and Customers, each read-only. With it Ponte registers the webhooks too.',
    },
  },
  baseUrl: (settings) => apiUrlOf(settings, 'https://api.bigcommerce.com'),
};

export const fetchBack: FetchBack = {
  next,
};

/** Headers of every request. */
export function bigcommerceHeaders({ credentials }: FetchAccess): Record<string, string> {
  return { accept: 'application/json', 'x-auth-token': credentials.accessToken ?? '' };
}

function next(webhook: StoredWebhook, access: FetchAccess): FetchRequest | undefined {
  const { settings } = access;
  const notification = readNotification(webhook.rawBody, settings);
  if (typeof notification === 'string') return undefined;
  const store = storePath(settings);
  const headers = bigcommerceHeaders(access);
  const { entity, id } = notification;
  const main = answerOf(webhook, entity);
  if (entity === 'customer') {
    const path = `${store}/v3/customers?id:in=${id}&include=addresses,formfields`;
    return main ? undefined : { name: 'customer', path, headers };
  }
  if (!main) return { name: 'order', path: `${store}/v2/orders/${id}`, headers };
  if (GONE.includes(main.status) || !hasMoney(Payload.parse(main.body), settings)) return undefined;
  const part = PARTS.find((name) => !answerOf(webhook, name));
  const below = part === 'refunds' ? 'payment_actions/refunds' : part;
  return part && { name: part, path: `${store}/v3/orders/${id}/${below}`, headers };
}

/** @throws UnreadablePayload where something was not fetched, or is about another order or customer */
export function readAnswers(
  webhook: StoredWebhook,
  entity: 'order' | 'customer',
  settings: Settings,
): Answers {
  const answer = answerOf(webhook, entity);
  if (!answer) throw new UnreadablePayload(`the ${entity} has not been fetched`);
  const none = { transactions: [], refunds: [] };
  if (GONE.includes(answer.status)) return { main: undefined, ...none };
  const main = Payload.parse(answer.body);
  if (entity === 'customer' || !hasMoney(main, settings)) return { main, ...none };
  return {
    main,
    transactions: listOf(webhook, 'transactions', MOST_PAYMENTS),
    refunds: listOf(webhook, 'refunds', MOST_REFUNDS),
  };
}

/** Whether the order can have transactions and refunds. */
function hasMoney(order: Payload, settings: Settings): boolean {
  return !statusOf(order, settings).isUnfinished;
}

function answerOf({ fetched = [] }: StoredWebhook, name: string): FetchedAnswer | undefined {
  return fetched.find((answer) => answer.name === name);
}

/** What is in an answer of the newer API; nothing where the order has none (204, 404). */
function listOf(webhook: StoredWebhook, name: string, most: number): readonly Payload[] {
  const answer = answerOf(webhook, name);
  if (!answer) throw new UnreadablePayload(`the ${name} of the order have not been fetched`);
  if (answer.status === 204 || GONE.includes(answer.status)) return [];
  const body = Payload.parse(answer.body);
  if (!body.has('data')) body.missing('data');
  const pages = body.at('meta').at('pagination').text('total_pages') ?? '1';
  if (!['0', '1'].includes(pages)) throw new UnreadablePayload(`there are more ${name} than are read`);
  return body.items('data', most);
}
