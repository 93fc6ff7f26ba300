import type { Credentials } from './sealed-credentials';
import type { LiveSource } from './source-directory';

/** Names of what the provider's API wants and the source does not have. */
export function missingCredentialNames({ provider }: LiveSource, credentials: Credentials): string[] {
  return Object.keys(provider.api?.credentials ?? {}).filter((name) => !credentials[name]);
}
