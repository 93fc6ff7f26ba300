import { bearerHeaders } from '../fetched';
import { apiUrlOf } from '../settings';
import type { FetchAccess, SourceApi } from '../source';

export const stripeApi: SourceApi = {
  credentials: {
    secretKey: {
      description:
        'Secret key of the account, which begins with sk_, or better a restricted key, rk_, that may write Webhook Endpoints, read Events and do nothing else: Stripe dashboard, Developers, then API keys.',
    },
  },
  baseUrl: (settings) => apiUrlOf(settings, 'https://api.stripe.com'),
};

/** Headers of every request. */
export function stripeHeaders({ credentials }: FetchAccess): Record<string, string> {
  return bearerHeaders(credentials['secretKey']);
}
