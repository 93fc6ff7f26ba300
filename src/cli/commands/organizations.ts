import type { Command } from 'commander';
import { pathOf } from '../client';
import { CommandGroup, option, required, wholeNumber } from '../definition';
import { wrongUsage } from '../failure';
import { list, type PageOptions } from '../listing';
import { PAGING, REASON, type ReasonOptions } from '../options';
import type { Session } from '../session';
import type { Terminal } from '../terminal';

const PATH = '/admin/organizations';

interface Changes extends ReasonOptions {
  name?: string;
  timeZone?: string;
  currency?: string;
  defaultAccount?: string;
  rawBodyDays?: number;
}

interface NewOrganization extends ReasonOptions {
  name: string;
  timeZone?: string;
  currency?: string;
  chart?: string;
  rules?: string;
}

const NAME = '--name <text>';
const ZONE = option('--time-zone <zone>', 'IANA name of its time zone, such as America/Sao_Paulo');
const CURRENCY = option('--currency <code>', 'ISO 4217, such as BRL');

export function organizationCommands(program: Command, terminal: Terminal): void {
  new CommandGroup(program, terminal, 'organizations', 'companies that Ponte serves')
    .add<PageOptions>({
      usage: 'list',
      summary: 'List the organizations that the key may see, newest first',
      examples: ['ponte organizations list'],
      options: PAGING,
      run: (session, options) =>
        list(session, PATH, ['slug', 'currency', 'timeZone', 'id', 'name'], {}, options),
    })
    .add({
      usage: 'show [org]',
      summary: 'Show one organization: the one named, or the one of --org',
      examples: ['ponte organizations show main'],
      run: async (session, _options, org) => session.show(await session.get(pathTo(session, org))),
    })
    .add<NewOrganization>({
      usage: 'create <slug>',
      summary: 'Make an organization',
      details: "Needs the operators' key. A chart names a file in chart/ of the configuration.",
      examples: ['ponte organizations create padaria --name "Padaria Aurora" --chart brazil'],
      options: [
        required(NAME, 'what people call it'),
        ZONE,
        CURRENCY,
        option('--chart <name>', 'chart of accounts to begin with'),
        option('--rules <which>', 'default: those of the configuration, as without it; none: no rules'),
        REASON,
      ],
      run: async (session, options, slug) => {
        const { name, timeZone, currency, chart, rules, reason } = options;
        const body = { slug, name, timeZone, currency, chart, rules, reason };
        await session.show(await session.send('POST', PATH, body));
      },
    })
    .add<Changes>({
      usage: 'change [org]',
      summary: 'Change an organization; what is not named stays',
      examples: ['ponte organizations change main --name "Padaria Aurora Ltda" --reason "new articles"'],
      options: [
        option(NAME, 'what people call it'),
        ZONE,
        CURRENCY,
        option('--default-account <id>', 'account of receipts that name none; "none" for no account'),
        wholeNumber('--raw-body-days <n>', 'how many days the bodies of finished deliveries are kept'),
        REASON,
      ],
      run: change,
    });
}

async function change(session: Session, options: Changes, org?: string): Promise<void> {
  const { name, timeZone, currency, defaultAccount, rawBodyDays, reason } = options;
  const defaultAccountId = defaultAccount === 'none' ? null : defaultAccount;
  const changes = { name, timeZone, currency, defaultAccountId, rawBodyDays };
  if (Object.values(changes).every((value) => value === undefined))
    throw wrongUsage('Nothing is to be changed');
  await session.show(await session.send('PATCH', pathTo(session, org), { ...changes, reason }));
}

function pathTo(session: Session, org: string | undefined): string {
  return PATH + pathOf(org ?? session.organization);
}
