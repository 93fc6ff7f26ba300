import { isObject } from '../../kernel/json-object';
import { command, group, option } from '../definition';
import { recordLines } from '../output/record';
import { lines } from '../output/text';
import { valueAt } from '../output/values';
import {
  DELIVERY_FILTERS,
  ID,
  NEEDED_REASON,
  PAGING,
  PLAN,
  type PlanOptions,
  REASON,
  type ReasonOptions,
} from '../options';
import { lists, sends } from '../requests';
import type { Session } from '../session';

export const DELIVERIES = group('deliveries', 'webhooks that were received, and what came of them', [
  command('list', 'List deliveries, newest first', {
    examples: [
      '--org main --state dead',
      '--org main --source shopify --from 2026-11-20T00:00:00-03:00 --all --json',
    ],
    options: [
      option('--state <state>', 'only in this state', ['waiting', 'done', 'dead', 'discarded']),
      ...DELIVERY_FILTERS,
      ...PAGING,
    ],
    run: lists('deliveries', ['id', 'receivedAt', 'state', 'source', 'topic', 'businessKey', 'reason']),
  }),
  command('show <id>', 'Show a delivery: what arrived, its events, runs, steps and effects', {
    details: 'Names, documents and other personal data are hidden unless --raw is given.',
    examples: [`${ID} --org main`],
    options: [option('--raw', 'show the body as it arrived; that is written to the audit log')],
    run: show,
  }),
  command('replay <id>', 'Do what is missing of a delivery, after showing what that is', {
    details: 'What was applied stays as it is. Without a terminal to ask on, --yes or --dry-run is needed.',
    examples: [`${ID} --org main --dry-run`, `${ID} --org main --yes --reason "new rule"`],
    options: [...PLAN, REASON],
    run: replay,
  }),
  command(
    'discard <id>',
    'Give up a delivery that waits, or is a dead letter; its entity goes on without it',
    {
      examples: [`${ID} --org main --reason "a test order"`],
      options: [NEEDED_REASON],
      run: sends('POST', 'deliveries/<id>/discard', { done: 'It is given up.' }),
    },
  ),
]);

async function show(session: Session, { raw }: { raw?: boolean }, id: string): Promise<void> {
  const reply = await session.get(session.within('deliveries', id), raw ? { body: 'raw' } : {});
  const text = valueAt(reply.body, 'body.text');
  if (session.json || !isObject(reply.body) || typeof text !== 'string') return session.show(reply);
  const { body, fetched, ...others } = reply.body;
  const answers = Array.isArray(fetched) ? fetched.filter(isObject) : [];
  await session.show(reply, { ...others, body: withoutText(body), fetched: answers.map(withoutText) });
  const texts = [{ name: 'body', text }, ...answers].flatMap(({ name, text: own }) =>
    typeof own === 'string' ? [[`${String(name)}.text`, own] as const] : [],
  );
  const { style } = session.terminal;
  for (const [name, own] of texts)
    await session.terminal.printLines([style.heading(name), ...lines(own).map((line) => `  ${line}`)]);
}

function withoutText(shown: unknown): unknown {
  return isObject(shown) ? { ...shown, text: undefined } : shown;
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
