import type { Option } from 'commander';
import { type Command } from 'commander';
import { CommandGroup, option, wholeNumber } from '../definition';
import { EXIT, Failure } from '../failure';
import { REASON, type ReasonOptions } from '../options';
import { secretOf, secretOptions, type SecretOptions } from '../secrets';
import type { Session } from '../session';
import type { Terminal } from '../terminal';
import { isObject } from '../../kernel/json-object';

interface Connection extends SecretOptions, ReasonOptions {
  baseUrl?: string;
  organizationName?: string;
  credential?: string;
  form?: string;
  perSecond?: number;
  atOnce?: number;
  oneWriteAtATime?: boolean;
  cacheMs?: number;
  connectMs?: number;
  headersMs?: number;
  totalMs?: number;
  settleMs?: number;
  uniqueDocuments?: boolean;
  customerListing?: string;
  unknownCustomers?: string;
}

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

export function financeCommands(program: Command, terminal: Terminal): void {
  new CommandGroup(
    program,
    terminal,
    'finance',
    'the finance service of an organization (FINANCE_BACKEND=remote)',
  )
    .add({
      usage: 'show',
      summary: 'Show how the finance service is reached, without the key',
      examples: ['ponte finance show --org main'],
      run: async (session) => session.show(await session.get(session.within('finance'))),
    })
    .add<Connection>({
      usage: 'set',
      summary: 'Connect the finance service, or change how it is reached',
      details:
        'Sets the whole connection: what is left out goes back to its default. Only the key, left out, stays as it is.',
      examples: [
        'ponte finance set --org main --base-url https://finance.example.com/v1 --secret-file ./finance-key',
        'ponte finance set --org main --base-url https://finance.example.com/v1 --per-second 5',
      ],
      options: [...SETTINGS, ...secretOptions("the service's API key"), REASON],
      run: set,
    })
    .add({
      usage: 'test',
      summary: 'Try the connection: reads one account of the service',
      details: 'Exits with 1 when the service does not take the key or does not answer.',
      examples: ['ponte finance test --org main'],
      run: test,
    });
}

async function set(session: Session, options: Connection): Promise<void> {
  const { perSecond, atOnce, oneWriteAtATime, connectMs, headersMs, totalMs } = options;
  const body = {
    baseUrl: options.baseUrl,
    organization: options.organizationName,
    apiKey: await secretOf(session, options),
    credential: options.credential,
    form: options.form,
    limits: given({ perSecond, atOnce, oneWriteAtATime }),
    cacheMs: options.cacheMs,
    timeouts: given({ connectMs, headersMs, totalMs }),
    settleMs: options.settleMs,
    uniqueDocuments: options.uniqueDocuments,
    customerListing: options.customerListing,
    unknownCustomers: options.unknownCustomers,
    reason: options.reason,
  };
  await session.show(await session.send('PUT', session.within('finance'), body));
}

async function test(session: Session): Promise<void> {
  const reply = await session.send('POST', session.within('finance', 'test'));
  await session.show(reply);
  if (!isObject(reply.body) || reply.body['ok'] !== true)
    throw new Failure(EXIT.refused, 'The finance service cannot be used.');
}

/** The members, or nothing where there is none. */
function given(members: Record<string, unknown>): object | undefined {
  return Object.values(members).some((value) => value !== undefined) ? members : undefined;
}
