import { basicHeaders, isGone } from '../fetched';
import { peekJson } from '../identity';
import { apiUrlOf } from '../settings';
import type { FetchAccess, FetchBack, FetchRequest, StoredWebhook, SourceApi } from '../source';
import { askFor, type Asked, readAnswers } from './answers';
import { readHook } from './hook';

const API = 'https://api.pagar.me/core/v5';

/** What to ask next: the order, or the charge without one, and the operations of charges that do not say what went back. */
function nextOf(webhook: StoredWebhook): Asked | undefined {
  const named = readHook(webhook);
  if (named === undefined) return undefined;
  const [first] = webhook.fetched ?? [];
  if (first === undefined) return askFor(named);
  return isGone(first) ? undefined : readAnswers(named, first, webhook).next;
}

export const pagarmeApi: SourceApi = {
  credentials: {
    secretKey: {
      description:
        'Secret key of the account at Pagar.me, which begins with sk_ and can read orders and charges.',
    },
  },
  baseUrl: (settings) => apiUrlOf(settings, API),
};

/** Headers of every request. */
export function pagarmeHeaders({ credentials }: FetchAccess): Record<string, string> {
  return basicHeaders(credentials['secretKey']);
}

export const pagarmeFetchBack: FetchBack = {
  next(webhook, access): FetchRequest | undefined {
    const next = nextOf(webhook);
    return next && { ...next, headers: pagarmeHeaders(access) };
  },
  orderingKey({ fetched = [] }) {
    const owner = fetched.find((answer) => answer.name === 'order' && !isGone(answer)) ?? fetched[0];
    const { id } = peekJson(owner?.body ?? Buffer.alloc(0));
    return typeof id === 'string' && /^(or|ch)_\w{1,60}$/.test(id) ? `order/${id}` : undefined;
  },
};
