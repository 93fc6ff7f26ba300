import { isObject } from '../../kernel/json-object';
import { command, group, option, required, wholeNumber } from '../definition';
import { wrongUsage } from '../failure';
import { ID, PLAN, type PlanOptions, REASON, type ReasonOptions } from '../options';
import { backtestLines } from '../output/backtest';
import { valueAt } from '../output/values';
import { shows } from '../requests';
import type { Session } from '../session';

interface BacktestOptions {
  ruleVersion?: number;
  file?: string;
}

const PERIOD = [
  required('--from <day>', 'received on this day or later; or an instant, ISO 8601 with an offset'),
  required('--to <day>', 'received on this day or before; or before an instant'),
  option('--source <slug>', 'only of this source'),
  wholeNumber('--limit <n>', 'how many orders with differences are listed (default: 200; 2,000 at most)'),
];

/** Of the group `rules`. */
export const BACKTEST = command(
  'backtest [name]',
  'Show what rules would do otherwise about stored deliveries than was done, and do nothing',
  {
    details:
      'With a name, only what that rule does is compared, also where the rule is disabled; without one, what all rules in force do.',
    examples: [
      '--org main --from 2026-02-01 --to 2026-02-28',
      'order-refunded --org main --from 2026-02-01 --to 2026-02-28',
      'order-paid --org main --from 2026-02-01 --to 2026-02-28 --file config/profiles/cash/order-paid.yaml',
    ],
    options: [
      ...PERIOD,
      option('--file <file>', "a rule's text that is not put yet, instead of the one in force"),
      wholeNumber('--rule-version <n>', 'a version of the named rule, instead of the one in force'),
    ],
    run: backtest,
  },
);

export const REPAIR = command(
  'repair',
  'Do what the rules in force say is missing of a period, after showing it',
  {
    details:
      'What was applied stays as it is. Without a terminal to ask on, --yes or --dry-run is needed. See also: ponte rules backtest.',
    examples: [
      '--org main --from 2026-02-01 --to 2026-02-28 --dry-run',
      '--org main --from 2026-02-01 --to 2026-02-28 --yes --reason "refunds are booked now"',
    ],
    options: [...PERIOD, ...PLAN, REASON],
    run: repair,
  },
);

export const REPAIRS = group('repairs', 'how far repairs are', [
  command('show <id>', 'Show how far a repair is', {
    examples: [`${ID} --org main`],
    run: shows('repairs/<id>'),
  }),
]);

async function backtest(
  session: Session,
  { file, ruleVersion: version, ...period }: BacktestOptions,
  name?: string,
): Promise<void> {
  if (version !== undefined && (name === undefined || file !== undefined))
    throw wrongUsage('--rule-version needs the name of a rule, and no --file');
  const document = file === undefined ? undefined : await session.files.text(file);
  const path = name === undefined ? ['backtest'] : ['rules', name, 'backtest'];
  const chosen =
    name === undefined && document !== undefined && file !== undefined
      ? { rule: { name: nameIn({ body: document }, file), document } }
      : { version, document };
  const reply = await session.send('POST', session.within(...path), { ...period, ...chosen });
  if (session.json) return session.printJson(reply);
  await session.terminal.printLines(backtestLines(reply.body, session.terminal.style));
}

async function repair(
  session: Session,
  { yes, dryRun, reason, ...period }: PlanOptions & ReasonOptions,
): Promise<void> {
  const path = session.within('repair');
  const planned = await session.send('POST', path, { ...period, dryRun: true });
  const { plan, deliveries, backtest: found } = isObject(planned.body) ? planned.body : {};
  if (dryRun) {
    if (session.json) return session.printJson(planned);
    return session.terminal.printLines(backtestLines(found, session.terminal.style));
  }
  await session.terminal.say(backtestLines(found, session.terminal.style).join('\n'));
  if (deliveries === 0) return session.terminal.say('Nothing is missing.');
  const question = `Repair it? ${String(deliveries)} deliveries are worked on again.`;
  if (!(await session.agreed(question, yes))) return;
  const done = await session.send('POST', path, { ...period, dryRun: false, plan, reason });
  const view = isObject(done.body) ? { ...done.body, backtest: undefined } : done.body;
  await session.show(done, view);
  const id = valueAt(done.body, 'repair');
  if (typeof id === 'string') await session.terminal.say(`How far it is: ponte repairs show ${id}`);
}

/** Found without reading the YAML, so that a document with mistakes reaches Ponte, which tells them by line. */
export function nameIn({ body }: { body: string }, file: string): string {
  const name = /(?:^|[{,]\s*)["']?rule["']?\s*:\s*["']?([a-z][a-z0-9-]*)/m.exec(body)?.[1];
  if (name === undefined) throw wrongUsage(`${file} does not say \`rule:\`; give --name`);
  return name;
}
