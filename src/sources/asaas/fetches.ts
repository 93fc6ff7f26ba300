import { apiUrlOf } from '../settings';
import type { FetchAccess, FetchBack, FetchRequest, StoredWebhook, SourceApi } from '../source';
import { customerIdOf, fetchedPayment, readMessage } from './message';

const API = 'https://api.asaas.com';
/** Asaas refuses requests without one from newer accounts. */
const USER_AGENT = 'Ponte (webhooks)';

export const asaasApi: SourceApi = {
  credentials: {
    apiKey: {
      description:
        'API key of the Asaas account (Integrações, then Chaves de API); reading is enough, unless Ponte is to make the webhook.',
    },
  },
  baseUrl: (settings) => apiUrlOf(settings, API),
};

/** The payment that a message names, and then who pays it. */
export const asaasFetches: FetchBack = {
  next: nextRequest,
};

/** Headers of every request. */
export function asaasHeaders({ credentials }: FetchAccess): Record<string, string> {
  return {
    access_token: credentials['apiKey'] ?? '',
    'user-agent': USER_AGENT,
    accept: 'application/json',
  };
}

function nextRequest(webhook: StoredWebhook, access: FetchAccess): FetchRequest | undefined {
  const message = readMessage(webhook);
  if (message.paymentId === undefined) return undefined;
  const headers = asaasHeaders(access);
  const count = webhook.fetched?.length ?? 0;
  if (count === 0)
    return { name: 'payment', path: `/v3/payments/${encodeURIComponent(message.paymentId)}`, headers };
  if (count > 1) return undefined;
  const payment = fetchedPayment(webhook, message);
  const customer = payment && customerIdOf(payment);
  return customer === undefined
    ? undefined
    : { name: 'customer', path: `/v3/customers/${encodeURIComponent(customer)}`, headers };
}
