import { MOST_PAYMENTS, MOST_REFUNDS } from '../../events/limits';
import { answerTo, isGone, parseAnswer } from '../fetched';
import { Payload, UnreadablePayload } from '../payload';
import { apiUrlOf } from '../settings';
import type { FetchAccess, FetchBack, FetchRequest, SourceApi, Settings, StoredWebhook } from '../source';
import { readNotification, storePath } from './notification';
import { statusOf } from './status';

/** What BigCommerce's API answered about one notification. */
export interface Answers {
  /** The order, or the list with the customer; undefined: it is not there any more. */
  readonly main: Payload | undefined;
  readonly transactions: readonly Payload[];
  readonly refunds: readonly Payload[];
}

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
  const main = answerTo(webhook, entity);
  if (entity === 'customer') {
    const path = `${store}/v3/customers?id:in=${id}&include=addresses,formfields`;
    return main ? undefined : { name: 'customer', path, headers };
  }
  if (!main) return { name: 'order', path: `${store}/v2/orders/${id}`, headers };
  if (isGone(main) || !hasMoney(Payload.parse(main.body), settings)) return undefined;
  const part = PARTS.find((name) => !answerTo(webhook, name));
  const below = part === 'refunds' ? 'payment_actions/refunds' : part;
  return part && { name: part, path: `${store}/v3/orders/${id}/${below}`, headers };
}

/** @throws UnreadablePayload where something was not fetched, or is about another order or customer */
export function readAnswers(
  webhook: StoredWebhook,
  entity: 'order' | 'customer',
  settings: Settings,
): Answers {
  const main = parseAnswer(answerTo(webhook, entity), `the ${entity} has not been fetched`);
  if (!main || entity === 'customer' || !hasMoney(main, settings))
    return { main, transactions: [], refunds: [] };
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

/** What is in an answer of the newer API; nothing where the order has none (204, 404). */
function listOf(webhook: StoredWebhook, name: string, most: number): readonly Payload[] {
  const answer = answerTo(webhook, name);
  if (answer?.status === 204) return [];
  const body = parseAnswer(answer, `the ${name} of the order have not been fetched`);
  if (!body) return [];
  if (!body.has('data')) body.missing('data');
  const pages = body.at('meta').at('pagination').text('total_pages') ?? '1';
  if (!['0', '1'].includes(pages)) throw new UnreadablePayload(`there are more ${name} than are read`);
  return body.items('data', most);
}
