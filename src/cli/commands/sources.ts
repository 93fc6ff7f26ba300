import type { Command } from 'commander';
import { CommandGroup, option, required, several } from '../definition';
import { wrongUsage } from '../failure';
import { list } from '../listing';
import { REASON, type ReasonOptions } from '../options';
import { neededSecretOf, secretOf, secretOptions, type SecretOptions } from '../secrets';
import type { Session } from '../session';
import type { Terminal } from '../terminal';

interface SettingOptions {
  setting?: string[];
}

interface NewSource extends SecretOptions, SettingOptions, ReasonOptions {
  provider: string;
  paused?: boolean;
}

const SECRET = "the source's webhook secret";
const SETTING = several(
  '--setting <name=value>',
  'may be repeated; `ponte providers show` tells which there are',
);
const SETTING_VALUES =
  "A setting's value that reads as a number, true or false is sent as such; in double quotes it stays text.";

export function sourceCommands(program: Command, terminal: Terminal): void {
  const group = new CommandGroup(program, terminal, 'sources', 'shops and systems that send webhooks')
    .add({
      usage: 'list',
      summary: 'List sources, with whether they receive and what waits',
      examples: ['ponte sources list --org main'],
      run: (session) => list(session, session.within('sources'), COLUMNS),
    })
    .add({
      usage: 'show <slug>',
      summary: 'Show a source with its address and what it received',
      examples: ['ponte sources show shopify --org main'],
      run: async (session, _options, slug) =>
        session.show(await session.get(session.within('sources', slug))),
    })
    .add<NewSource>({
      usage: 'create <slug>',
      summary: 'Make a source; what is printed holds the address for its webhooks',
      details: `Without a secret it refuses everything until one is added. ${SETTING_VALUES}`,
      examples: [
        'ponte sources create loja --org main --provider shopify --secret-env SHOPIFY_WEBHOOK_SECRET',
        'ponte sources create loja --org main --provider shopify --secret-stdin < ./secret',
      ],
      options: [
        required('--provider <id>', 'whose webhooks they are; `ponte providers list` names all'),
        ...secretOptions(SECRET),
        SETTING,
        option('--paused', 'receive nothing until it is resumed'),
        REASON,
      ],
      run: create,
    })
    .add<SettingOptions & ReasonOptions>({
      usage: 'change <slug>',
      summary: "Change a source's settings",
      details: SETTING_VALUES,
      examples: ['ponte sources change loja --org main --setting timeZone=America/Manaus'],
      options: [SETTING, REASON],
      run: async (session, { setting, reason }, slug) => {
        if (!setting) throw wrongUsage('Nothing is to be changed: give --setting');
        const body = { settings: settingsOf(setting), reason };
        await session.show(await session.send('PATCH', session.within('sources', slug), body));
      },
    });
  pausing(group);
  secrets(group);
}

const COLUMNS = [
  'slug',
  'provider',
  'paused',
  'status.receiving',
  'status.lastReceivedAt',
  'status.lastRefusedAt',
  'status.lastRefusal',
  'status.waiting',
  'status.dead',
  'status.unhandled',
  'status.lastUnhandledEvents',
  'status.reason',
];

function pausing(group: CommandGroup): void {
  const texts = {
    pause: 'Receive nothing from a source for now; senders are told to come back',
    resume: 'Receive from a paused source again',
  };
  for (const verb of ['pause', 'resume'] as const)
    group.add<ReasonOptions>({
      usage: `${verb} <slug>`,
      summary: texts[verb],
      examples: [`ponte sources ${verb} shopify --org main --reason "stocktaking"`],
      options: [REASON],
      run: async (session, { reason }, slug) =>
        session.show(await session.send('POST', session.within('sources', slug, verb), { reason })),
    });
}

function secrets(group: CommandGroup): void {
  group
    .add<SecretOptions & ReasonOptions>({
      usage: 'secret-add <slug>',
      summary: 'Add a secret; the older ones stay good until they are retired',
      details: 'Add the new one here, change it at the shop, then retire the old: no webhook is lost.',
      examples: ['ponte sources secret-add shopify --org main --secret-file ./new-secret'],
      options: [...secretOptions('the new secret'), REASON],
      run: async (session, options, slug) => {
        const body = { secret: await neededSecretOf(session, options), reason: options.reason };
        await session.show(await session.send('POST', session.within('sources', slug, 'secrets'), body));
      },
    })
    .add({
      usage: 'secret-retire <slug>',
      summary: 'Retire every secret of a source but the newest',
      examples: ['ponte sources secret-retire shopify --org main'],
      run: async (session, _options, slug) =>
        session.show(await session.send('DELETE', session.within('sources', slug, 'secrets'))),
    });
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
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined) throw wrongUsage(`"${text}" is no name=value`);
      return [name.trim(), settingValue(value)];
    }),
  );
}

function settingValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return Number(text);
  return /^"(.*)"$/s.exec(text)?.[1] ?? text;
}
