import { findProvider } from './registry';
import type { MessageToSign } from './source';

/**
 * The headers with which a provider of the registry would send this message. Names are in lower case.
 * @throws Error when the provider is unknown or cannot sign with this secret
 */
export function signedHeaders(provider: string, message: MessageToSign): Record<string, string> {
  const found = findProvider(provider);
  if (!found) throw new Error(`there is no provider ${provider}`);
  return found.sign(message);
}
