import type { Credentials } from '../../deliveries/sealed-credentials';
import { didYouMean, nearestName } from '../../kernel/nearest';
import { unacceptable } from '../../kernel/problem';
import { hasUnprintable } from '../../kernel/text';
import type { SourceProvider } from '../../sources/source';

const LONGEST = 4_000;

/**
 * Credentials as they are kept: all that the provider needs, or none; without blanks around them, which copying brings.
 * @throws Problem validation-failed, without any of them
 */
export function readCredentials(
  { title, api }: SourceProvider,
  given: Readonly<Record<string, unknown>>,
): Credentials {
  const names = Object.keys(api?.credentials ?? {});
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const nearest = didYouMean(nearestName(unknown, names));
    throw unacceptable('/credentials', 'unknown', `${title} has no credential of this name${nearest}`);
  }
  if (Object.keys(given).length === 0) return {};
  return Object.fromEntries(names.map((name) => [name, credential(given[name], name)]));
}

function credential(value: unknown, name: string): string {
  const pointer = `/credentials/${name}`;
  if (typeof value !== 'string' || value.trim() === '')
    throw unacceptable(pointer, 'required', 'is required');
  const text = value.trim();
  if (text.length > LONGEST)
    throw unacceptable(pointer, 'credential', `must have at most ${LONGEST} characters`);
  if (hasUnprintable(text)) throw unacceptable(pointer, 'credential', 'must not hold control characters');
  return text;
}
