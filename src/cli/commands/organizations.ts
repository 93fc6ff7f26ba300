import { RETENTION_SETTINGS } from '../../kernel/retention';
import { pathOf } from '../client';
import { command, group, option, required, several, wholeNumber } from '../definition';
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
    run: sends('POST', PATH, { body: (_session, options, slug) => ({ slug, ...options }) }),
  }),
  command('retention [org]', 'Show how long what is kept, and whether what is no longer kept is removed', {
    examples: ['main'],
    run: async (session, _options, org) =>
      session.show(await session.get(`${pathTo(session, org)}/retention`)),
  }),
  command('change [org]', 'Change an organization; what is not named stays', {
    details:
      'Another profile disables the rules that only the old one has, and puts those of the new one. What --keep takes is in docs/retention.md: what is older is removed by itself, and cannot be brought back.',
    examples: [
      'main --name "Padaria Aurora Ltda" --reason "new articles"',
      'main --profile accrual',
      'main --keep plans=1825 --keep feed=365 --keep calls=forever --reason "as our lawyer says"',
    ],
    options: [
      option(NAME, 'what people call it'),
      ZONE,
      CURRENCY,
      PROFILE,
      option('--default-account <id>', 'account of receipts that name none; "none" for no account'),
      wholeNumber('--raw-body-days <n>', 'how many days the bodies of finished deliveries are kept'),
      several('--keep <kind=days>', 'how many days a kind is kept, or "forever"; may be given several times'),
      REASON,
    ],
    run: change,
  }),
]);

async function change(
  session: Session,
  { reason, defaultAccount, keep, ...others }: ReasonOptions & { defaultAccount?: string; keep?: string[] },
  org?: string,
): Promise<void> {
  const account = defaultAccount === 'none' ? null : defaultAccount;
  const changes = {
    ...others,
    ...(account !== undefined && { defaultAccountId: account }),
    ...(keep && { retention: retentionOf(keep) }),
  };
  if (Object.keys(changes).length === 0) throw wrongUsage('Nothing is to be changed');
  await session.show(await session.send('PATCH', pathTo(session, org), { ...changes, reason }));
}

/** The service says how many days each takes. @throws when one is written in another form, or no kind */
function retentionOf(keep: readonly string[]): Record<string, number | null> {
  const entries = keep.map((text): [string, number | null] => {
    const [, kind, days] = /^([A-Za-z]+)=(\d{1,9}|forever)$/.exec(text) ?? [];
    if (kind === undefined || days === undefined)
      throw wrongUsage(`--keep takes a kind and days, such as plans=1825 or plans=forever, and not ${text}`);
    if (!RETENTION_SETTINGS.some((setting) => setting === kind))
      throw wrongUsage(`There is no kind ${kind} to keep; there are ${RETENTION_SETTINGS.join(', ')}`);
    return [kind, days === 'forever' ? null : Number(days)];
  });
  return Object.fromEntries(entries);
}

function pathTo(session: Session, org: string | undefined): string {
  return PATH + pathOf(org ?? session.organization);
}
