import { unacceptable } from '../../kernel/problem';
import { secretProblem } from '../../sources/check-settings';
import type { SourceProvider } from '../../sources/source';
import { hasUnprintable } from '../../kernel/text';

const LONGEST = 1_000;

/**
 * A secret as it is kept: without blanks around it, which copying brings along.
 * @param pointer where in the body it stands
 * @throws Problem validation-failed, without the secret
 */
export function readSecret(provider: SourceProvider, text: string, pointer: string): string {
  const secret = text.trim();
  if (secret === '') throw unacceptable(pointer, 'required', 'is required');
  if (secret.length > LONGEST)
    throw unacceptable(pointer, 'secret', `must have at most ${LONGEST} characters`);
  if (hasUnprintable(secret)) throw unacceptable(pointer, 'secret', 'must not hold control characters');
  const problem = secretProblem(provider, secret);
  if (problem !== undefined) throw unacceptable(pointer, 'secret', problem);
  return secret;
}

/** @throws Problem validation-failed for the first that cannot be used, or is there twice */
export function readSecrets(provider: SourceProvider, texts: readonly string[]): string[] {
  const secrets: string[] = [];
  for (const [index, text] of texts.entries()) {
    const pointer = `/secrets/${index}`;
    const secret = readSecret(provider, text, pointer);
    if (secrets.includes(secret)) throw unacceptable(pointer, 'secret', 'is there twice');
    secrets.push(secret);
  }
  return secrets;
}
