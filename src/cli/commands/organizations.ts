import { pathOf } from '../client';
import { command, group, option, required, wholeNumber } from '../definition';
import { wrongUsage } from '../failure';
import { PAGING, REASON, type ReasonOptions } from '../options';
import { lists, sends } from '../requests';
import type { Session } from '../session';

const PATH = '/admin/organizations';
const NAME = '--name <text>';
const ZONE = option('--time-zone <zone>', 'IANA name of its time zone, such as America/Sao_Paulo');
const PROFILE = option('--profile <name>', 'folder of profiles/ in the configuration, such as accrual');
const CURRENCY = option('--currency <code>', 'ISO 4217, such as BRL');

export const ORGANIZATIONS = group('organizations', 'companies that Ponte serves', [
  command('list', 'List the organizations that the key may see, newest first', {
    examples: [''],
    options: PAGING,
    run: lists(PATH, ['slug', 'currency', 'timeZone', 'id', 'name']),
  }),
  command('show [org]', 'Show one organization: the one named, or the one of --org', {
    examples: ['main'],
    run: async (session, _options, org) => session.show(await session.get(pathTo(session, org))),
  }),
  command('create <slug>', 'Make an organization', {
    details: "Needs the operators' key. A chart names a file in chart/ of the configuration.",
    examples: [
      'padaria --name "Padaria Aurora" --chart brazil',
      'padaria --name "Padaria Aurora" --chart brazil --profile accrual',
    ],
    options: [
      required(NAME, 'what people call it'),
      ZONE,
      CURRENCY,
      PROFILE,
      option('--chart <name>', 'chart of accounts to begin with'),
      option('--rules <which>', 'default: those of the configuration, as without it; none: no rules'),
      REASON,
    ],
    run: sends('POST', PATH, { body: (options, slug) => ({ slug, ...options }) }),
  }),
  command('change [org]', 'Change an organization; what is not named stays', {
    details: 'Another profile disables the rules that only the old one has, and puts those of the new one.',
    examples: ['main --name "Padaria Aurora Ltda" --reason "new articles"', 'main --profile accrual'],
    options: [
      option(NAME, 'what people call it'),
      ZONE,
      CURRENCY,
      PROFILE,
      option('--default-account <id>', 'account of receipts that name none; "none" for no account'),
      wholeNumber('--raw-body-days <n>', 'how many days the bodies of finished deliveries are kept'),
      REASON,
    ],
    run: change,
  }),
]);

async function change(
  session: Session,
  { reason, defaultAccount, ...others }: ReasonOptions & { defaultAccount?: string },
  org?: string,
): Promise<void> {
  const account = defaultAccount === 'none' ? null : defaultAccount;
  const changes = { ...others, ...(account !== undefined && { defaultAccountId: account }) };
  if (Object.keys(changes).length === 0) throw wrongUsage('Nothing is to be changed');
  await session.show(await session.send('PATCH', pathTo(session, org), { ...changes, reason }));
}

function pathTo(session: Session, org: string | undefined): string {
  return PATH + pathOf(org ?? session.organization);
}
