import type { Option } from 'commander';
import { option } from './definition';
import { wrongUsage } from './failure';
import { usableSecret } from './files';
import type { Session } from './session';

export interface SecretOptions {
  secretFile?: string;
  secretEnv?: string;
  secretStdin?: boolean;
}

/** Where a secret comes from. Never the command line: everybody on the machine can read that. */
export function secretOptions(what: string): Option[] {
  return [
    option('--secret-file <file>', `a file that holds ${what}`),
    option('--secret-env <name>', `the environment variable that holds ${what}`),
    option('--secret-stdin', `read ${what} from the standard input`),
  ];
}

/**
 * @returns undefined when no option names a place
 * @throws Failure of wrong usage when several do, or nothing usable is there; never with the secret in it
 */
export async function secretOf(session: Session, options: SecretOptions): Promise<string | undefined> {
  const { secretFile, secretEnv, secretStdin } = options;
  if ([secretFile, secretEnv, secretStdin].filter((place) => place !== undefined).length > 1)
    throw wrongUsage('Give one of --secret-file, --secret-env and --secret-stdin');
  if (secretEnv !== undefined)
    return usableSecret(session.terminal.env[secretEnv] ?? '', `the environment variable ${secretEnv}`);
  if (secretStdin) return session.files.secret('-');
  return secretFile === undefined ? undefined : session.files.secret(secretFile);
}

/** @throws Failure of wrong usage also when no option names a place */
export async function neededSecretOf(session: Session, options: SecretOptions): Promise<string> {
  const secret = await secretOf(session, options);
  if (secret !== undefined) return secret;
  throw wrongUsage('Where is the secret? Give --secret-file, --secret-env or --secret-stdin');
}
