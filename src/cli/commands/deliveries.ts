import type { Command, Option } from 'commander';
import { CommandGroup, option } from '../definition';
import { list, type PageOptions } from '../listing';
import { lines } from '../output/text';
import { recordLines } from '../output/record';
import { valueAt } from '../output/values';
import {
  PAGING,
  period,
  type PeriodOptions,
  PLAN,
  type PlanOptions,
  NEEDED_REASON,
  REASON,
  type ReasonOptions,
} from '../options';
import type { Session } from '../session';
import type { Terminal } from '../terminal';
import { isObject } from '../../kernel/json-object';

export interface DeliveryFilters extends PeriodOptions {
  source?: string;
  topic?: string;
  businessKey?: string;
}

/** What narrows a choice of deliveries. */
export const DELIVERY_FILTERS: readonly Option[] = [
  option('--source <slug>', 'only of this source'),
  option('--topic <topic>', "only of this topic, in the provider's words"),
  option('--business-key <key>', 'only about this order or customer'),
  ...period('received'),
];

export const DELIVERY_COLUMNS = ['id', 'receivedAt', 'state', 'source', 'topic', 'businessKey', 'reason'];

type ListOptions = DeliveryFilters & PageOptions & { state?: string };

export function deliveryFilters({
  source,
  topic,
  businessKey,
  from,
  to,
}: DeliveryFilters): Record<string, string> {
  const all = { source, topic, businessKey, from, to };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

export function deliveryCommands(program: Command, terminal: Terminal): void {
  new CommandGroup(program, terminal, 'deliveries', 'webhooks that were received, and what came of them')
    .add<ListOptions>({
      usage: 'list',
      summary: 'List deliveries, newest first',
      examples: [
        'ponte deliveries list --org main --state dead',
        'ponte deliveries list --org main --source shopify --from 2026-11-20T00:00:00-03:00 --all --json',
      ],
      options: [
        option('--state <state>', 'only in this state', ['waiting', 'done', 'dead', 'discarded']),
        ...DELIVERY_FILTERS,
        ...PAGING,
      ],
      run: (session, options) => {
        const filters = { ...deliveryFilters(options), ...(options.state && { state: options.state }) };
        return list(session, session.within('deliveries'), DELIVERY_COLUMNS, filters, options);
      },
    })
    .add<{ raw?: boolean }>({
      usage: 'show <id>',
      summary: 'Show a delivery: what arrived, its events, runs, steps and effects',
      details: 'Names, documents and other personal data are hidden unless --raw is given.',
      examples: ['ponte deliveries show 01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61 --org main'],
      options: [option('--raw', 'show the body as it arrived; that is written to the audit log')],
      run: show,
    })
    .add<PlanOptions & ReasonOptions>({
      usage: 'replay <id>',
      summary: 'Do what is missing of a delivery, after showing what that is',
      details: 'What was applied stays as it is. Without a terminal to ask on, --yes or --dry-run is needed.',
      examples: [
        'ponte deliveries replay 01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61 --org main --dry-run',
        'ponte deliveries replay 01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61 --org main --yes --reason "new rule"',
      ],
      options: [...PLAN, REASON],
      run: replay,
    })
    .add<ReasonOptions>({
      usage: 'discard <id>',
      summary: 'Give up a delivery that waits, or is a dead letter; its entity goes on without it',
      examples: [
        'ponte deliveries discard 01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61 --org main --reason "a test order"',
      ],
      options: [NEEDED_REASON],
      run: async (session, { reason }, id) =>
        session.done(
          await session.send('POST', session.within('deliveries', id, 'discard'), { reason }),
          'It is given up.',
        ),
    });
}

async function show(session: Session, { raw }: { raw?: boolean }, id: string): Promise<void> {
  const reply = await session.get(session.within('deliveries', id), raw ? { body: 'raw' } : {});
  const text = valueAt(reply.body, 'body.text');
  if (session.json || !isObject(reply.body) || typeof text !== 'string') return session.show(reply);
  const { body, ...others } = reply.body;
  const about = isObject(body) ? { ...body, text: undefined } : body;
  await session.show(reply, { ...others, body: about });
  const { style } = session.terminal;
  await session.terminal.printLines([style.heading('body.text'), ...lines(text).map((line) => `  ${line}`)]);
}

async function replay(session: Session, options: PlanOptions & ReasonOptions, id: string): Promise<void> {
  const path = session.within('deliveries', id, 'replay');
  const { yes, dryRun, reason } = options;
  const plan = await session.send('POST', path, { dryRun: true });
  if (dryRun) return session.show(plan);
  const { style } = session.terminal;
  await session.terminal.say(recordLines(plan.body, style).join('\n'));
  const missing = valueAt(plan.body, 'missing');
  const count = Array.isArray(missing) ? missing.length : 0;
  if (!(await session.agreed(`Replay it? ${count} missing.`, yes))) return;
  await session.show(await session.send('POST', path, { dryRun: false, reason }));
}
