import { didYouMean, nearestName } from '../kernel/nearest';
import { isTimeZone } from '../kernel/time-zone';
import type { SettingSpec, SourceProvider } from './source';
import { hasUnprintable } from '../kernel/text';

/** A setting that a source of the provider cannot have. The message continues the setting's name, without its value. */
export interface WrongSetting {
  name: string;
  code: 'unknown' | 'required' | 'text' | 'number' | 'boolean' | 'time-zone';
  message: string;
}

const LONGEST_TEXT = 500;
/** Who sends thousands of unknown ones is told of these. */
const MOST_TOLD = 50;

/** Finds everything that is wrong with the settings of a source, against what its provider knows. */
export function checkSettings(
  { title, settings: specs }: SourceProvider,
  settings: Readonly<Record<string, unknown>>,
): WrongSetting[] {
  const unknown = Object.keys(settings)
    .filter((name) => !Object.hasOwn(specs, name))
    .slice(0, MOST_TOLD)
    .map((name): WrongSetting => {
      const nearest = didYouMean(nearestName(name, Object.keys(specs)));
      return { name, code: 'unknown', message: `is no setting of ${title}${nearest}` };
    });
  const wrong = Object.entries(specs).flatMap(([name, spec]) => {
    const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
    const problem = problemOf(spec, value);
    return problem ? [{ name, ...problem }] : [];
  });
  return [...unknown, ...wrong];
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
  return format === 'time-zone' && !isTimeZone(value.trim())
    ? { code: 'time-zone', message: 'must be the IANA name of a time zone' }
    : undefined;
}
