import { didYouMean, nearestName } from '../kernel/nearest';
import { isTimeZone } from '../kernel/time-zone';
import { COMMON_SETTINGS, SILENT_AFTER_HOURS } from './settings';
import type { SettingProblem, SettingSpec, SourceProvider, Settings } from './source';
import { hasUnprintable } from '../kernel/text';

/** A setting that a source of the provider cannot have. */
export interface WrongSetting extends SettingProblem {
  readonly code:
    'unknown' | 'required' | 'text' | 'number' | 'boolean' | 'time-zone' | 'web-address' | 'unfit';
}

const LONGEST_TEXT = 500;
/** Names of this machine. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Who sends thousands of unknown ones is told of these. */
const MOST_NAMED = 50;

/** What may be set on a source of the provider: its own settings, and those that every source has. */
export function settingsOf({ settings }: SourceProvider): Readonly<Record<string, SettingSpec>> {
  return { ...settings, ...COMMON_SETTINGS };
}

/** Finds everything that is wrong with the settings of a source, against what its provider knows. */
export function checkSettings(provider: SourceProvider, settings: Settings): WrongSetting[] {
  const { title } = provider;
  const specs = settingsOf(provider);
  const unknown = Object.keys(settings)
    .filter((name) => !Object.hasOwn(specs, name))
    .slice(0, MOST_NAMED)
    .map((name): WrongSetting => {
      const nearest = didYouMean(nearestName(name, Object.keys(specs)));
      return { name, code: 'unknown', message: `is no setting of ${title}${nearest}` };
    });
  const wrong = Object.entries(specs).flatMap(([name, spec]) => {
    const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
    const problem = problemOf(spec, value);
    return problem ? [{ name, ...problem }] : [];
  });
  if (unknown.length + wrong.length > 0) return [...unknown, ...wrong];
  if (Number(settings[SILENT_AFTER_HOURS] ?? 0) < 0)
    return [{ name: SILENT_AFTER_HOURS, code: 'unfit', message: 'must not be below zero' }];
  const unfit = provider.checkSettings?.(settings);
  return unfit ? [{ ...unfit, code: 'unfit' }] : [];
}

function problemOf(spec: SettingSpec, value: unknown): Omit<WrongSetting, 'name'> | undefined {
  const isBlank = typeof value === 'string' && value.trim() === '';
  if (value === undefined || isBlank)
    return spec.required === true ? { code: 'required', message: 'is required' } : undefined;
  if (spec.type === 'string') return textProblem(spec, value);
  if (spec.type === 'boolean')
    return typeof value === 'boolean' ? undefined : { code: 'boolean', message: 'must be true or false' };
  return typeof value === 'number' && Number.isFinite(value)
    ? undefined
    : { code: 'number', message: 'must be a number' };
}

function textProblem({ format }: SettingSpec, value: unknown): Omit<WrongSetting, 'name'> | undefined {
  if (typeof value !== 'string') return { code: 'text', message: 'must be text' };
  if (value.length > LONGEST_TEXT)
    return { code: 'text', message: `must have at most ${LONGEST_TEXT} characters` };
  if (hasUnprintable(value)) return { code: 'text', message: 'must not hold control characters' };
  if (format === 'time-zone' && !isTimeZone(value.trim()))
    return { code: 'time-zone', message: 'must be the IANA name of a time zone' };
  return format === 'web-address' && !isWebAddress(value.trim())
    ? { code: 'web-address', message: 'must be an address that begins with https:// and has no query' }
    : undefined;
}

/** Without TLS there is only this machine. */
function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || [url.username, url.password, url.search, url.hash].some((part) => part !== '')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}

/** Of a secret that stands in an address: whoever guesses it may send notifications. */
const SHORTEST_IN_ADDRESS = 20;

/** Why a secret cannot be used for sources of this provider: the end of a sentence, without the secret; undefined: it can. */
export function secretProblem(provider: SourceProvider, secret: string): string | undefined {
  if (provider.secretInAddress && secret.length < SHORTEST_IN_ADDRESS)
    return `must have at least ${SHORTEST_IN_ADDRESS} characters, because it stands in the address that the provider sends to: take what openssl rand -hex 24 prints`;
  return provider.checkSecret?.(secret);
}
