import { bigcommerce } from './bigcommerce/bigcommerce';
import { bling } from './bling/bling';
import { cloudevents } from './cloudevents/cloudevents';
import { asaas } from './asaas/asaas';
import { ecomplus } from './ecomplus/ecomplus';
import { genericHmac } from './generic-hmac/generic-hmac';
import { hotmart } from './hotmart/hotmart';
import { ifood } from './ifood/ifood';
import { kiwify } from './kiwify/kiwify';
import { magento } from './magento/magento';
import { nuvemshop } from './nuvemshop/nuvemshop';
import { mercadoLivre } from './mercado-livre/mercado-livre';
import { mercadoPago } from './mercado-pago/mercado-pago';
import { omie } from './omie/omie';
import { pagarme } from './pagarme/pagarme';
import { pagbank } from './pagbank/pagbank';
import { shopify } from './shopify/shopify';
import type { MessageToSign, SourceProvider } from './source';
import { standardWebhooks } from './standard-webhooks/standard-webhooks';
import { stripe } from './stripe/stripe';
import { tiny } from './tiny/tiny';
import { vtex } from './vtex/vtex';
import { woocommerce } from './woocommerce/woocommerce';
import { yampi } from './yampi/yampi';

/** Every provider Ponte understands: a new one is a folder and a line here. */
export const PROVIDERS: readonly SourceProvider[] = [
  shopify,
  woocommerce,
  bigcommerce,
  magento,
  nuvemshop,
  yampi,
  vtex,
  ecomplus,
  mercadoLivre,
  kiwify,
  bling,
  tiny,
  hotmart,
  ifood,
  stripe,
  pagbank,
  asaas,
  mercadoPago,
  pagarme,
  omie,
  standardWebhooks,
  genericHmac,
  cloudevents,
];

/** The provider of {@link PROVIDERS} with this id; undefined when there is none. */
export function findProvider(id: string): SourceProvider | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}

/**
 * The headers with which a provider of the registry would send this message. Names are in lower case.
 * @throws Error when the provider is unknown or cannot sign with this secret
 */
export function signedHeaders(provider: string, message: MessageToSign): Record<string, string> {
  const found = findProvider(provider);
  if (!found) throw new Error(`there is no provider ${provider}`);
  return found.sign(message);
}
