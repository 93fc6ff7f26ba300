import type { Command } from 'commander';
import { CommandGroup, option } from '../definition';
import { wrongUsage } from '../failure';
import { list, type PageOptions } from '../listing';
import { valueAt } from '../output/values';
import { NEEDED_REASON, PAGING, PLAN, type PlanOptions, REASON, type ReasonOptions } from '../options';
import type { Session } from '../session';
import type { Terminal } from '../terminal';
import { DELIVERY_COLUMNS, DELIVERY_FILTERS, type DeliveryFilters, deliveryFilters } from './deliveries';

type BulkOptions = DeliveryFilters & PlanOptions & { reason: string; everything?: boolean };

export function deadLetterCommands(program: Command, terminal: Terminal): void {
  new CommandGroup(program, terminal, 'dead-letters', 'deliveries that a person must look at')
    .add<DeliveryFilters & PageOptions>({
      usage: 'list',
      summary: 'List dead letters with their reasons, newest first',
      examples: ['ponte dead-letters list --org main --source shopify'],
      options: [...DELIVERY_FILTERS, ...PAGING],
      run: (session, options) =>
        list(session, session.within('dead-letters'), COLUMNS, deliveryFilters(options), options),
    })
    .add<ReasonOptions>({
      usage: 'retry <id>',
      summary: 'Work on a dead letter again; what was applied before stays as it is',
      examples: ['ponte dead-letters retry 01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61 --org main'],
      options: [REASON],
      run: async (session, { reason }, id) =>
        session.done(
          await session.send('POST', session.within('dead-letters', id, 'retry'), { reason }),
          'It is worked on again.',
        ),
    })
    .add<ReasonOptions>({
      usage: 'discard <id>',
      summary: 'Take a dead letter off the list for good',
      examples: [
        'ponte dead-letters discard 01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61 --org main --reason "a test"',
      ],
      options: [NEEDED_REASON],
      run: async (session, { reason }, id) =>
        session.done(
          await session.send('POST', session.within('dead-letters', id, 'discard'), { reason }),
          'It is off the list.',
        ),
    })
    .add<BulkOptions>({
      usage: 'retry-all',
      summary: 'Work on many dead letters again, after counting them',
      details: 'Needs a filter, or --everything. Without a terminal to ask on, --yes or --dry-run is needed.',
      examples: [
        'ponte dead-letters retry-all --org main --source shopify --reason "rule mended" --dry-run',
        'ponte dead-letters retry-all --org main --topic orders/paid --reason "rule mended" --yes',
      ],
      options: [
        ...DELIVERY_FILTERS,
        option('--everything', 'every dead letter of the organization'),
        NEEDED_REASON,
        ...PLAN,
      ],
      run: retryAll,
    });
}

const COLUMNS = DELIVERY_COLUMNS.filter((column) => column !== 'state');

async function retryAll(session: Session, options: BulkOptions): Promise<void> {
  const filter = deliveryFilters(options);
  const { reason, yes, dryRun, everything } = options;
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
