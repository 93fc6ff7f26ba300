import { bearerHeaders, isGone } from '../fetched';
import { peekJson } from '../identity';
import { UnreadablePayload } from '../payload';
import { apiUrlOf } from '../settings';
import type { FetchAccess, FetchBack, FetchRequest, StoredWebhook, SourceApi } from '../source';
import {
  type Kind,
  type Notification,
  paymentOfChargeback,
  readAnswer,
  readNotification,
} from './notification';
import { peekOrderId } from './order-id';

const API = 'https://api.mercadopago.com';
const PATHS: Readonly<Record<Kind, string>> = { payment: '/v1/payments', chargeback: '/v1/chargebacks' };

/**
 * The payment or chargeback itself first; then the chargeback of a payment that has one, which Mercado Pago finds by the
 * payment's number, or the payment of a chargeback.
 */
function nextOf({ kind, id }: Notification, webhook: StoredWebhook): [Kind, string] | undefined {
  const [main, other] = webhook.fetched ?? [];
  if (main === undefined) return [kind, id];
  if (other !== undefined || isGone(main)) return undefined;
  const answer = readAnswer(main, id);
  if (kind === 'payment') return answer.word('status') === 'charged_back' ? ['chargeback', id] : undefined;
  const payment = paymentOfChargeback(answer);
  return payment === undefined ? undefined : ['payment', payment];
}

export const mercadoPagoApi: SourceApi = {
  credentials: {
    accessToken: {
      description:
        'Access token of the application’s production credentials, which begins with APP_USR- and can read payments.',
    },
  },
  baseUrl: (settings) => apiUrlOf(settings, API),
};

/** Headers of every request. */
export function mercadoPagoHeaders({ credentials }: FetchAccess): Record<string, string> {
  return bearerHeaders(credentials['accessToken']);
}

export const mercadoPagoFetchBack: FetchBack = {
  next(webhook, access): FetchRequest | undefined {
    const notification = readNotification(webhook);
    if (notification === undefined) return undefined;
    if (webhook.attributes.dataId === undefined)
      throw new UnreadablePayload('the address has no data.id, and nothing else of a notification is signed');
    const next = nextOf(notification, webhook);
    if (next === undefined) return undefined;
    const [name, id] = next;
    return {
      name,
      path: `${PATHS[name]}/${encodeURIComponent(id)}`,
      headers: mercadoPagoHeaders(access),
    };
  },
  orderingKey({ fetched = [] }) {
    const payment = fetched.find((answer) => answer.name === 'payment' && !isGone(answer));
    const id = peekOrderId(peekJson(payment?.body ?? Buffer.alloc(0)));
    return id === undefined ? undefined : `order/${id}`;
  },
};
