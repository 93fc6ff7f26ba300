import type { Period } from '../../sources/missed-webhooks';
import type { LiveSource } from '../source-directory';
import { missingCredentialNames } from '../missing-credentials';

/** What changed less long ago is left to the next comparison, in milliseconds: its webhook may be under way. */
export const GRACE_MS = 15 * 60_000;
/** Longest period of one comparison, in milliseconds: what is longer is compared in several. */
const LONGEST_MS = 7 * 86_400_000;

/**
 * The period to be compared.
 * @param from where it begins
 * @param now by the clock that `from` is of
 */
export function periodOf(from: Date, now: Date): Period {
  return { from, to: new Date(Math.min(now.getTime() - GRACE_MS, from.getTime() + LONGEST_MS)) };
}

/** Why a source cannot be compared, for its operators; undefined: it can. */
export function notSetUp(source: LiveSource): string | undefined {
  const { provider, settings, credentials } = source;
  if (credentials === undefined)
    return "this replica has another SECRETS_KEY than the source's credentials were stored with";
  const setting = provider.list?.missingSetting(settings);
  const missing = missingCredentialNames(source, credentials);
  if (setting === undefined && missing.length === 0) return undefined;
  const names = [
    ...(setting === undefined ? [] : [`setting ${setting}`]),
    ...missing.map((name) => `credential ${name}`),
  ];
  return `it is not compared: ${names.join(', ')} of the source ${names.length > 1 ? 'are' : 'is'} not set`;
}
