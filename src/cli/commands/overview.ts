import { isObject } from '../../kernel/json-object';
import { command, group, option } from '../definition';
import { ID, PAGING } from '../options';
import { listAt } from '../output/table';
import { lists } from '../requests';
import type { Session } from '../session';

const DATE = option('--date <day>', "a day in the organization's time zone (default: today)");

export const OVERVIEW = group(
  'overview',
  'a day at a glance: what was received and came of it, and the money',
  [
    command(
      'show',
      'Show what was received on a day and came of it, what is open now, and the money of the day',
      {
        examples: ['--org main', '--org main --date 2026-11-20'],
        options: [DATE],
        run: showDay,
      },
    ),
    command('payments', 'List the payments that the money of a day is made of', {
      examples: ['--org main --date 2026-11-20 --source shopify', `--org main --account ${ID} --all`],
      options: [
        DATE,
        option('--source <slug>', 'only those of this source'),
        option('--without-source', 'only those of which no source is known'),
        option('--gateway <name>', 'only those by this gateway, as the shop spells it'),
        option('--without-gateway', 'only those of which no gateway is known'),
        option('--account <id>', 'only those in this account'),
        ...PAGING,
      ],
      run: lists('overview/payments', [
        ...['payment', 'value', 'receipts', 'account.name', 'source', 'gateway', 'businessKey'],
      ]),
    }),
  ],
);

/** Of the hours, a person is shown those in which something came in. */
async function showDay(session: Session, { date }: { date?: string }): Promise<void> {
  const reply = await session.get(session.within('overview'), { date });
  if (!isObject(reply.body)) return session.show(reply);
  const flow = listAt(reply.body, 'flow').filter(({ accepted }) => accepted !== 0);
  return session.show(reply, { ...reply.body, flow });
}
