import { shopify } from './shopify/shopify';
import type { SourceProvider } from './source';
import { standardWebhooks } from './standard-webhooks/standard-webhooks';
import { woocommerce } from './woocommerce/woocommerce';

/** Every provider Ponte understands: a new one is a folder and a line here. */
export const PROVIDERS: readonly SourceProvider[] = [shopify, woocommerce, standardWebhooks];

/** The provider of {@link PROVIDERS} with this id; undefined when there is none. */
export function findProvider(id: string): SourceProvider | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}
