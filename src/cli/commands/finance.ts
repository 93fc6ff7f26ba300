import type { Option } from 'commander';
import { isObject } from '../../kernel/json-object';
import { command, group, option, wholeNumber } from '../definition';
import { EXIT, Failure } from '../failure';
import { NEEDED_REASON, REASON } from '../options';
import { sends, shows } from '../requests';
import { secretOf, secretOptions, type SecretOptions } from '../secrets';
import type { Session } from '../session';

const SETTINGS: readonly Option[] = [
  option('--base-url <url>', "the service's root with its version"),
  option('--organization-name <name>', 'what the service calls the organization'),
  option('--credential <place>', 'where the key goes', ['apitoken', 'ApiToken', 'bearer']),
  option('--form <form>', 'what the service speaks', ['json', 'xml']),
  wholeNumber('--per-second <n>', 'calls a second, over all replicas'),
  wholeNumber('--at-once <n>', 'calls at once, of each replica'),
  option('--one-write-at-a-time', 'never two writing calls at once'),
  wholeNumber('--cache-ms <n>', 'how long reads may be kept for others'),
  wholeNumber('--connect-ms <n>', 'time to connect'),
  wholeNumber('--headers-ms <n>', 'time until the answer begins'),
  wholeNumber('--total-ms <n>', 'time for a whole call'),
  wholeNumber('--settle-ms <n>', "time after a call's end in which it may still take effect"),
  option('--unique-documents', 'the service refuses a second customer with the same document'),
  option('--customer-listing <path>', 'where customers are listed, where they are'),
  option(
    '--unknown-customers <what>',
    'park: leave them to a person, as without it; repeat: create them again',
  ),
];

/** Options of `set` that are called otherwise in the body, or lie deeper in it. */
interface Connection extends SecretOptions {
  organizationName?: string;
  perSecond?: number;
  atOnce?: number;
  oneWriteAtATime?: boolean;
  connectMs?: number;
  headersMs?: number;
  totalMs?: number;
}

export const FINANCE = group('finance', 'the finance service of an organization (FINANCE_BACKEND=remote)', [
  command('show', 'Show how the finance service is reached, without the key', {
    examples: ['--org main'],
    run: shows('finance'),
  }),
  command('set', 'Connect the finance service, or change how it is reached', {
    details:
      'Sets the whole connection: what is left out goes back to its default. Only the key, left out, stays as it is.',
    examples: [
      '--org main --base-url https://finance.example.com/v1 --secret-file ./finance-key',
      '--org main --base-url https://finance.example.com/v1 --per-second 5',
    ],
    options: [...SETTINGS, ...secretOptions("the service's API key"), REASON],
    run: sends('PUT', 'finance', { body: connectionOf }),
  }),
  command('test', 'Try the connection: reads one account of the service', {
    details: 'Exits with 1 when the service does not take the key or does not answer.',
    examples: ['--org main'],
    run: test,
  }),
  command('recovery', 'Show whether Ponte searches the service for each call before it sends it', {
    examples: ['--org main'],
    run: shows('finance/recovery'),
  }),
  command(
    'begin-recovery',
    'Search the finance service for each call before it is sent: the database was put back just now',
    {
      details:
        'For after a restore or a recovery of PostgreSQL: the service has what was asked of it since, and Ponte does not know. ' +
        'See docs/backup.md.',
      examples: ['--org main --reason "restored the dump of 03:00"'],
      options: [NEEDED_REASON],
      run: sends('PUT', 'finance/recovery'),
    },
  ),
  command('end-recovery', 'Send calls without searching for them again', {
    examples: ['--org main'],
    run: sends('DELETE', 'finance/recovery'),
  }),
]);

async function connectionOf(session: Session, options: Connection): Promise<object> {
  const { secretFile, secretEnv, secretStdin, organizationName, ...given } = options;
  const { perSecond, atOnce, oneWriteAtATime, connectMs, headersMs, totalMs, ...others } = given;
  return {
    ...others,
    organization: organizationName,
    apiKey: await secretOf(session, { secretFile, secretEnv, secretStdin }),
    limits: anyOf({ perSecond, atOnce, oneWriteAtATime }),
    timeouts: anyOf({ connectMs, headersMs, totalMs }),
  };
}

async function test(session: Session): Promise<void> {
  const reply = await session.send('POST', session.within('finance', 'test'));
  await session.show(reply);
  if (!isObject(reply.body) || reply.body['ok'] !== true)
    throw new Failure(EXIT.refused, 'The finance service cannot be used.');
}

/** The members, or nothing where there is none. */
function anyOf(members: Record<string, unknown>): object | undefined {
  return Object.values(members).some((value) => value !== undefined) ? members : undefined;
}
