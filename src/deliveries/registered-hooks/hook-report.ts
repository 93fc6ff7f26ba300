import { createHash } from 'node:crypto';
import type { HookRegistration } from '../../sources/hook-registration';
import type { LiveSource } from '../source-directory';
import type { PlannedHook, WantedHooks } from './hook-plan';

/** What is registered for a source, and what has to be done about it. */
export interface HookReport {
  /** Whether Ponte registers webhooks at this provider. */
  readonly registers: boolean;
  /** Why nothing can be compared or done, as a sentence; undefined: something can. */
  readonly reason?: string;
  /** A person has to act before anything can be compared. */
  readonly needsPerson?: boolean;
  readonly missingCredentials: readonly string[];
  /** Empty where there is a reason. */
  readonly hooks: readonly PlannedHook[];
}

/** Where the webhooks of a source are sent, and what of it a person may see. */
export interface HookAddress {
  readonly base: string;
  /** With the newest secret, where the address ends with one. */
  readonly whole: string;
}

export const NO_PUBLIC_URL =
  'PUBLIC_URL is not set to an https address, so no provider can be given an address to send to';

/** @param publicUrl as configured, without a slash at its end @returns undefined where it is none that a provider can use */
export function hookAddress(publicUrl: string | undefined, source: LiveSource): HookAddress | undefined {
  if (!publicUrl?.startsWith('https://')) return undefined;
  const base = `${publicUrl}/hooks/${source.organization.slug}/${source.slug}`;
  return { base, whole: source.provider.secretInAddress ? withSecret(base, source.secrets[0] ?? '') : base };
}

/** What stands before anything can be listed, as a report; undefined: nothing does. */
export function obstacle(publicUrl: string | undefined, source: LiveSource): HookReport | undefined {
  const { provider, credentials, settings, secrets } = source;
  const { hooks: registration, api, title } = provider;
  const missing = Object.keys(api?.credentials ?? {}).filter((name) => !credentials?.[name]);
  const because = (reason: string): HookReport => ({
    ...{ registers: registration !== undefined, reason, needsPerson: true, hooks: [] },
    missingCredentials: missing,
  });
  if (!registration)
    return { ...because(`Ponte does not register webhooks at ${title}`), missingCredentials: [] };
  if (!hookAddress(publicUrl, source)) return because(NO_PUBLIC_URL);
  if (credentials === undefined || source.secretsUnread)
    return {
      ...because("this replica has another SECRETS_KEY than the source's credentials were stored with"),
      missingCredentials: [],
    };
  if (missing.length > 0) return because(`the source has no credentials (${missing.join(', ')})`);
  const unready = registration.unready?.(settings);
  if (unready) return because(`the setting ${unready.name} ${unready.message}`);
  const isGiven = registration.secret === 'given' || provider.secretInAddress;
  if (isGiven && secrets.length === 0) return because('the source has no secret to give to the provider');
  return undefined;
}

/** @param known as of `SourceHooksRepository` */
export function wantedOf(
  registration: HookRegistration,
  source: LiveSource,
  { base, whole }: HookAddress,
  known: readonly string[],
): WantedHooks {
  const { settings, secrets, provider } = source;
  const taken = provider.secretInAddress ? secrets.map((secret) => withSecret(base, secret)) : [base];
  return {
    address: whole,
    leadsHere: (address) => address === base || address.startsWith(`${base}/`),
    isTaken: (address) => taken.includes(address),
    hookFor: registration.hookFor,
    topics: registration.topics(settings),
    unwanted: registration.unwantedTopics?.(settings) ?? [],
    known: new Set(known),
    lacksSecret: registration.secret === 'answered' && secrets.length === 0,
  };
}

/** Names what a plan does: another one has another name. */
export function planName(hooks: readonly PlannedHook[]): string {
  const steps = hooks
    .filter(({ action }) => action !== null)
    .map(({ action, state, topics, registered }) => [
      ...[action, state, topics],
      registered && [registered.id, registered.address, registered.topics, registered.enabled],
    ]);
  return createHash('sha256').update(JSON.stringify(steps)).digest('hex').slice(0, 16);
}

/**
 * An address as a person may see it: the source's own without its secret, of any other only where it leads, because an address
 * can be a secret.
 */
export function shownAddress(address: string, { base }: HookAddress): string {
  if (address === base) return base;
  if (address.startsWith(`${base}/`)) return `${base}/{secret}`;
  if (!URL.canParse(address)) return '…';
  const { origin, pathname } = new URL(address);
  const own = new URL(base).pathname;
  return pathname === own ? `${origin}${own}` : `${origin}/…`;
}

function withSecret(base: string, secret: string): string {
  return `${base}/${encodeURIComponent(secret)}`;
}
