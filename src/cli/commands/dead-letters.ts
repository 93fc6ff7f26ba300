import { command, group, option } from '../definition';
import { wrongUsage } from '../failure';
import { DELIVERY_FILTERS, ID, NEEDED_REASON, PAGING, PLAN, type PlanOptions, REASON } from '../options';
import { valueAt } from '../output/values';
import { lists, sends } from '../requests';
import type { Session } from '../session';

export const DEAD_LETTERS = group('dead-letters', 'deliveries that a person must see to', [
  command('list', 'List dead letters with their reasons, newest first', {
    examples: ['--org main --source shopify'],
    options: [...DELIVERY_FILTERS, ...PAGING],
    run: lists('dead-letters', ['id', 'receivedAt', 'source', 'topic', 'businessKey', 'reason']),
  }),
  command('retry <id>', 'Work on a dead letter again; what was applied before stays as it is', {
    examples: [`${ID} --org main`],
    options: [REASON],
    run: sends('POST', 'dead-letters/<id>/retry', { done: 'It is worked on again.' }),
  }),
  command('discard <id>', 'Take a dead letter off the list for good', {
    examples: [`${ID} --org main --reason "a test"`],
    options: [NEEDED_REASON],
    run: sends('POST', 'dead-letters/<id>/discard', { done: 'It is off the list.' }),
  }),
  command('retry-all', 'Work on many dead letters again, after counting them', {
    details: 'Needs a filter, or --everything. Without a terminal to ask on, --yes or --dry-run is needed.',
    examples: [
      '--org main --source shopify --reason "rule mended" --dry-run',
      '--org main --topic orders/paid --reason "rule mended" --yes',
    ],
    options: [
      ...DELIVERY_FILTERS,
      option('--everything', 'every dead letter of the organization'),
      NEEDED_REASON,
      ...PLAN,
    ],
    run: retryAll,
  }),
]);

async function retryAll(
  session: Session,
  { reason, yes, dryRun, everything, ...filter }: PlanOptions & { reason: string; everything?: boolean },
): Promise<void> {
  if ((Object.keys(filter).length === 0) !== (everything === true))
    throw wrongUsage('Which ones? Give filters, or --everything alone');
  const path = session.within('dead-letters', 'retry');
  const plan = await session.send('POST', path, { filter, reason, dryRun: true });
  if (dryRun) return session.show(plan);
  const matched = Number(valueAt(plan.body, 'matched'));
  await session.terminal.say(`${matched} match.`);
  if (matched === 0) return session.show(plan);
  if (!(await session.agreed(`Work on ${matched} again?`, yes))) return;
  await session.show(await session.send('POST', path, { filter, reason, dryRun: false }));
}
