import { command, group, option, required, several } from '../definition';
import { connectSource } from './source-hooks';
import { wrongUsage } from '../failure';
import { usableSecret } from '../files';
import { PLAN, REASON, type ReasonOptions } from '../options';
import { lists, sends, shows } from '../requests';
import { neededSecretOf, secretOf, secretOptions, type SecretOptions } from '../secrets';
import type { Session } from '../session';

interface SettingOptions {
  setting?: string[];
}

interface NewSource extends SecretOptions, SettingOptions, ReasonOptions {
  provider: string;
  paused?: boolean;
}

const SETTING = several('--setting <name=value>', 'may be repeated; `ponte providers show` lists them');
const SETTING_VALUES =
  "A setting's value that reads as a number, true or false is sent as such; in double quotes it stays text.";
const PAUSING = {
  pause: 'Receive nothing from a source for now; senders are answered 503 and send again',
  resume: 'Receive from a paused source again',
};
const COLUMNS = [
  ...['slug', 'provider', 'paused', 'status.receiving', 'status.lastReceivedAt'],
  ...[
    'status.silent',
    'status.failing',
    'status.switchOff.state',
    'status.lastRefusedAt',
    'status.lastRefusal',
  ],
  ...['status.waiting', 'status.dead'],
  ...['status.unhandled', 'status.lastUnhandledEvents', 'status.hooks.problem', 'status.reason'],
];

export const SOURCES = group('sources', 'shops and systems that send webhooks', [
  command('list', 'List sources, with whether they receive and what waits', {
    examples: ['--org main'],
    run: lists('sources', COLUMNS),
  }),
  command('show <slug>', 'Show a source with its address and what it received', {
    examples: ['shopify --org main'],
    run: shows('sources/<slug>'),
  }),
  command('create <slug>', 'Make a source; what is printed holds the address for its webhooks', {
    details: `Without a secret it refuses everything until one is added. ${SETTING_VALUES}`,
    examples: [
      'loja --org main --provider shopify --secret-env SHOPIFY_WEBHOOK_SECRET',
      'loja --org main --provider shopify --secret-stdin < ./secret',
    ],
    options: [
      required('--provider <id>', 'whose webhooks they are; `ponte providers list` names all'),
      ...secretOptions("the source's webhook secret"),
      SETTING,
      option('--paused', 'receive nothing until it is resumed'),
      REASON,
    ],
    run: create,
  }),
  command('change <slug>', "Replace a source's settings: what is not given again is unset", {
    details: SETTING_VALUES,
    examples: ['loja --org main --setting timeZone=America/Manaus --setting documentField=cpf'],
    options: [SETTING, REASON],
    run: sends('PATCH', 'sources/<slug>', {
      body: (_session, { setting, reason }: SettingOptions & ReasonOptions) => {
        if (!setting) throw wrongUsage('Nothing is to be changed: give --setting');
        return { settings: settingsOf(setting), reason };
      },
    }),
  }),
  ...(['pause', 'resume'] as const).map((verb) =>
    command(`${verb} <slug>`, PAUSING[verb], {
      examples: ['shopify --org main --reason "stocktaking"'],
      options: [REASON],
      run: sends('POST', `sources/<slug>/${verb}`),
    }),
  ),
  command('secret-add <slug>', 'Add a secret; the older ones stay good until they are retired', {
    details: 'Add the new one here, change it at the shop, then retire the old: no webhook is lost.',
    examples: ['shopify --org main --secret-file ./new-secret'],
    options: [...secretOptions('the new secret'), REASON],
    run: sends('POST', 'sources/<slug>/secrets', {
      body: async (session, options: SecretOptions & ReasonOptions) => ({
        secret: await neededSecretOf(session, options),
        reason: options.reason,
      }),
    }),
  }),
  command('credentials <slug>', "Set what the provider's API is asked with, all of it at once", {
    details:
      '`ponte providers show` lists the credentials. They are never shown again. Deliveries that became dead letters without them are retried with `ponte dead-letters retry-all`.',
    examples: [
      'loja --org main --from-env accessToken=NUVEMSHOP_TOKEN',
      'loja --org main --from-file appKey=./app-key --from-file appToken=./app-token',
    ],
    options: [
      several('--from-env <name=variable>', 'an environment variable that holds the credential'),
      several('--from-file <name=file>', 'a file that holds the credential'),
      option('--forget', 'forget those that are set'),
      REASON,
    ],
    run: setCredentials,
  }),
  command(
    'connect <slug>',
    'Register the webhooks of a source at its provider, after showing what would be done',
    {
      details:
        'Webhooks that are missing are made, those that are disabled or lead elsewhere are mended, and those of others stay as they are. From then on Ponte checks them daily. Where Ponte registers none, it shows the steps for a person. Without a terminal to ask on, --yes or --dry-run is needed.',
      examples: ['loja --org main --dry-run', 'loja --org main --yes --reason "the shop opens"'],
      options: [...PLAN, REASON],
      run: connectSource,
    },
  ),
  command('secret-retire <slug>', 'Retire every secret of a source but the newest', {
    examples: ['shopify --org main'],
    run: sends('DELETE', 'sources/<slug>/secrets'),
  }),
]);

interface CredentialOptions extends ReasonOptions {
  fromEnv?: string[];
  fromFile?: string[];
  forget?: boolean;
}

async function setCredentials(
  session: Session,
  { fromEnv = [], fromFile = [], forget = false, reason }: CredentialOptions,
  slug: string,
): Promise<void> {
  if (forget === fromEnv.length + fromFile.length > 0)
    throw wrongUsage('Give --from-env or --from-file for each credential, or --forget alone');
  const credentials: Record<string, string> = {};
  for (const text of fromEnv) {
    const [name, variable] = pairOf(text);
    credentials[name] = usableSecret(
      session.terminal.env[variable] ?? '',
      `the environment variable ${variable}`,
    );
  }
  for (const text of fromFile) {
    const [name, file] = pairOf(text);
    credentials[name] = await session.files.secret(file);
  }
  const body = { credentials, reason };
  await session.show(await session.send('PUT', session.within('sources', slug, 'credentials'), body));
}

async function create(session: Session, options: NewSource, slug: string): Promise<void> {
  const { provider, setting, paused, reason } = options;
  const secret = await secretOf(session, options);
  const body = {
    slug,
    provider,
    secrets: secret === undefined ? undefined : [secret],
    settings: setting && settingsOf(setting),
    paused,
    reason,
  };
  await session.show(await session.send('POST', session.within('sources'), body));
  if (secret === undefined) await session.terminal.say('It refuses everything until it has a secret.');
}

function settingsOf(given: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    given.map((text) => {
      const [name, value] = pairOf(text);
      return [name, settingValue(value)];
    }),
  );
}

/** @throws Failure of wrong usage */
function pairOf(text: string): [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw wrongUsage(`"${text}" is no name=value`);
  return [name.trim(), value];
}

function settingValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return Number(text);
  return /^"(.*)"$/s.exec(text)?.[1] ?? text;
}
