import { isObject } from '../../kernel/json-object';
import { command, option, required, wholeNumber } from '../definition';
import { wrongUsage } from '../failure';
import { PLAN, type PlanOptions, REASON, type ReasonOptions } from '../options';
import { completenessLines, differingLines } from '../output/completeness';
import { valueAt } from '../output/values';
import type { Session } from '../session';

interface CompletenessOptions extends PlanOptions, ReasonOptions {
  from: string;
  to: string;
  source: string;
  limit?: number;
  after?: string;
  repair?: boolean;
}

export const COMPLETENESS = command(
  'completeness',
  'Compare what a shop says of a period with what is in the books, and repair what is missing if asked',
  {
    details:
      'Days are those of the organization, and orders belong to the day on which they were made. With --repair, what can be is repaired after it was shown; without a terminal to ask on, --yes or --dry-run is needed.',
    examples: [
      '--org main --source shopify --from 2026-10-01 --to 2026-10-31',
      '--org main --source shopify --from 2026-10-01 --to 2026-10-31 --repair --yes --reason "end of the month"',
    ],
    options: [
      required('--source <slug>', 'the source whose shop is compared'),
      required('--from <day>', 'made on this day or later'),
      required('--to <day>', 'made on this day or before; 92 days at most'),
      wholeNumber('--limit <n>', 'how many orders with differences are listed (default: 100; 500 at most)'),
      option('--after <cursor>', 'list those alone that follow the orders that were listed before'),
      option('--repair', 'repair what can be'),
      ...PLAN,
      REASON,
    ],
    run: completeness,
  },
);

async function completeness(
  session: Session,
  { repair, yes, dryRun, reason, limit, after, ...period }: CompletenessOptions,
): Promise<void> {
  const path = session.within('completeness');
  if (after !== undefined) {
    if (repair) throw wrongUsage('--repair is for all of the period: leave --after out');
    const list = await session.get(`${path}/differing`, { ...period, limit: limit?.toString(), after });
    return session.json
      ? session.printJson(list)
      : session.terminal.printLines(differingLines(list.body, session.terminal.style));
  }
  const report = await session.get(path, { ...period, limit: limit?.toString() });
  const lines = completenessLines(report.body, session.terminal.style);
  if (!repair) return session.json ? session.printJson(report) : session.terminal.printLines(lines);

  const planned = await session.send('POST', `${path}/repair`, { ...period, dryRun: true });
  const { plan, deliveries, compareFrom } = isObject(planned.body) ? planned.body : {};
  if (dryRun) return session.json ? session.printJson(planned) : session.terminal.printLines(lines);
  await session.terminal.say(lines.join('\n'));
  if (deliveries === 0 && compareFrom === null) return session.terminal.say('Nothing can be repaired.');
  const again =
    typeof compareFrom === 'string' ? ` The shop's list is compared again from ${compareFrom} on.` : '';
  const question = `Repair it? ${String(deliveries)} deliveries are worked on again.${again}`;
  if (!(await session.agreed(question, yes))) return;
  const done = await session.send('POST', `${path}/repair`, { ...period, dryRun: false, plan, reason });
  const view = isObject(done.body) ? { ...done.body, listed: undefined } : done.body;
  await session.show(done, view);
  const id = valueAt(done.body, 'repair');
  if (typeof id === 'string') await session.terminal.say(`How far it is: ponte repairs show ${id}`);
}
