import { isObject } from '../../kernel/json-object';
import type { Reply } from '../client';
import { EXIT, Failure } from '../failure';
import type { PlanOptions, ReasonOptions } from '../options';
import { Table } from '../output/table';
import { type Fields, valueAt } from '../output/values';
import type { Session } from '../session';

const HOOK_COLUMNS = ['state', 'action', 'topics', 'address', 'problem'];
const STEP_COLUMNS = ['outcome', 'action', 'topics', 'reason'];

/** Shows what is registered for a source and what has to be, and does it. */
export async function connectSource(
  session: Session,
  { yes, dryRun, reason }: PlanOptions & ReasonOptions,
  slug: string,
): Promise<void> {
  const path = session.within('sources', slug, 'hooks');
  const planned = await session.get(path);
  const obstacle = valueAt(planned.body, 'reason');
  if (typeof obstacle === 'string') return explain(session, planned, obstacle);
  if (dryRun && session.json) return session.printJson(planned);
  if (dryRun) return session.terminal.printLines(hookLines(session, planned));
  await session.terminal.say(hookLines(session, planned).join('\n'));
  const count = listIn(planned, 'hooks').filter(({ action }) => action != null).length;
  const question = `Register it? ${count} webhooks are made or changed at the provider.`;
  if (count > 0 && !(await session.agreed(question, yes))) return;
  const body = { dryRun: false, plan: valueAt(planned.body, 'plan'), reason };
  await showDone(session, await session.send('POST', `${path}/repair`, body));
}

/** Why nothing can be done, and what a person does instead. */
async function explain(session: Session, planned: Reply, obstacle: string): Promise<void> {
  const { terminal, json } = session;
  const steps = valueAt(planned.body, 'setUp');
  if (json) await session.printJson(planned);
  else if (Array.isArray(steps))
    await terminal.printLines(steps.map((step, index) => `${index + 1}. ${String(step)}`));
  for (const { name, description } of listIn(planned, 'missingCredentials'))
    await terminal.say(`Missing credential ${String(name)}: ${String(description)}`);
  if (valueAt(planned.body, 'registers') === true)
    throw new Failure(EXIT.refused, `Nothing was done: ${obstacle}.`);
  await terminal.say(`${obstacle}: the steps are for a person.`);
}

async function showDone(session: Session, done: Reply): Promise<void> {
  const steps = listIn(done, 'steps');
  if (session.json) await session.printJson(done);
  else {
    const { style } = session.terminal;
    await session.terminal.printLines([
      ...(steps.length > 0 ? [...new Table(STEP_COLUMNS, style).lines(steps), ''] : []),
      ...hookLines(session, done),
    ]);
  }
  if (steps.some(({ outcome }) => outcome !== 'done'))
    throw new Failure(
      EXIT.refused,
      'Not everything was done: the same command shows what is left, and does it.',
    );
  await session.terminal.say(
    steps.length > 0
      ? 'It is done. Ponte checks the webhooks daily.'
      : 'Nothing has to be changed. Ponte checks the webhooks daily.',
  );
}

function hookLines({ terminal }: Session, reply: Reply): string[] {
  return new Table(HOOK_COLUMNS, terminal.style).lines(listIn(reply, 'hooks'));
}

function listIn({ body }: Reply, name: string): Fields[] {
  const list = isObject(body) ? body[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}
