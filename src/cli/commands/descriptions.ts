import { isObject } from '../../kernel/json-object';
import { command, group } from '../definition';
import { EXIT, Failure } from '../failure';
import { recordLines } from '../output/record';
import { harmlessJson } from '../output/text';
import type { Fields } from '../output/values';
import { lists } from '../requests';
import type { Session } from '../session';

/** What Ponte knows to receive. */
export const PROVIDERS = group('providers', 'shops and systems that Ponte understands', [
  command('list', 'List the providers of webhooks', {
    examples: ['--org main'],
    run: lists('providers', ['id', 'title']),
  }),
  command('show <id>', 'Show the steps to connect a provider, and the settings of its sources', {
    examples: ['shopify --org main'],
    run: async (session, _options, id = '') =>
      show(session, await found(session, 'providers', 'id', id), withSteps),
  }),
]);

/** What Ponte knows to do. */
export const ACTIONS = group('actions', 'what a rule can do', [
  command('list', 'List the actions that rules may name after `do:`', {
    examples: ['--org main'],
    run: lists('actions', ['name', 'description']),
  }),
  command('show <name>', 'Show what an action takes and gives', {
    examples: ['creditSchedule.ensure --org main'],
    run: async (session, _options, name = '') => show(session, await found(session, 'actions', 'name', name)),
  }),
]);

async function found(session: Session, what: string, member: string, name: string): Promise<Fields> {
  const { body } = await session.get(session.within(what));
  const items: unknown = isObject(body) ? body['items'] : undefined;
  const item: unknown = Array.isArray(items)
    ? items.find((candidate) => isObject(candidate) && candidate[member] === name)
    : undefined;
  if (isObject(item)) return item;
  throw new Failure(EXIT.notFound, `None of the ${what} is called "${name}": ponte ${what} list names all`);
}

async function show(
  session: Session,
  item: Fields,
  view: (item: Fields) => unknown = (whole) => whole,
): Promise<void> {
  const { terminal, json } = session;
  if (json) await terminal.print(`${harmlessJson(JSON.stringify(item))}\n`);
  else await terminal.printLines(recordLines(view(item), terminal.style));
}

/** Settings as a table, the steps numbered, one a line. */
function withSteps({ settings, setUp, ...others }: Fields): Fields {
  const steps = Array.isArray(setUp) ? setUp.map((step, index) => `${index + 1}. ${String(step)}`) : [];
  const rows = Object.entries(isObject(settings) ? settings : {}).map(([name, setting]) => ({
    name,
    ...(isObject(setting) ? setting : {}),
  }));
  return { ...others, settings: rows, setUp: steps.join('\n') };
}
