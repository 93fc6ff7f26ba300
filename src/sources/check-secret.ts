import type { SourceProvider } from './source';

/** Of a secret that stands in an address: whoever guesses it may send notifications. */
const SHORTEST_IN_ADDRESS = 20;

/** Why a secret cannot be used for sources of this provider: the end of a sentence, without the secret; undefined: it can. */
export function secretProblem(provider: SourceProvider, secret: string): string | undefined {
  if (provider.secretInAddress && secret.length < SHORTEST_IN_ADDRESS)
    return `must have at least ${SHORTEST_IN_ADDRESS} characters, because it stands in the address that the provider sends to: take what openssl rand -hex 24 prints`;
  return provider.checkSecret?.(secret);
}
