import { isObject } from '../../kernel/json-object';
import { command, group, option, several } from '../definition';
import { EXIT, Failure, wrongUsage } from '../failure';
import { ID, REASON, type ReasonOptions } from '../options';
import { errorText } from '../output/problem';
import { lines } from '../output/text';
import { lists, sends } from '../requests';
import type { Session } from '../session';
import { BACKTEST, nameIn } from './backtests';
import { RULE_TEMPLATES } from './rule-templates';

interface PreviewOptions {
  delivery?: string;
  event?: string;
  document?: string;
}

const FILE = 'The file is YAML, or JSON where its name ends in .json; - is the standard input.';

export const RULES = group('rules', 'what is to be done when something happened', [
  command('list', 'List the rules in their newest version', {
    examples: ['--org main'],
    run: lists('rules', ['name', 'version', 'enabled', 'event', 'createdAt']),
  }),
  command('show <name>', 'Show a rule', {
    examples: ['order-paid --org main', 'order-paid --org main --document > order-paid.yaml'],
    options: [option('--document', "print nothing but the rule's text, as `rules put` takes it")],
    run: show,
  }),
  command('versions <name>', 'List the versions of a rule, newest first', {
    examples: ['order-paid --org main'],
    run: lists('rules/<name>/versions', ['version', 'inForce', 'createdAt']),
  }),
  command('put <file>', 'Put a rule in force; it is checked first, and refused with line and column', {
    details: FILE,
    examples: ['config/profiles/cash/order-paid.yaml --org main --reason "instalments"'],
    options: [option('--name <name>', "the rule's name; absent: `rule` in the file"), REASON],
    run: put,
  }),
  command('check <file>', 'Check a rule without putting it; exits with 1 when something is wrong with it', {
    details: FILE,
    examples: ['config/profiles/cash/order-paid.yaml --org main'],
    run: check,
  }),
  command('preview <name>', 'Show what a rule would do, to the cent, and do nothing', {
    details: 'Takes the events of a delivery that is there, or an event from a file.',
    examples: [
      `order-paid --org main --delivery ${ID}`,
      'order-paid --org main --event event.json --document config/profiles/cash/order-paid.yaml',
    ],
    options: [
      option('--delivery <id>', 'a delivery whose events are taken'),
      option('--event <file>', 'a canonical event as JSON; - is the standard input'),
      option('--document <file>', "a rule's text that is not put yet, instead of the one in force"),
    ],
    run: preview,
  }),
  command('settings <name>', 'Show what can be set on a rule, or set it without changing its document', {
    details: 'What is not named in --set or --unset stays as it is.',
    examples: [
      'payment-fee --org main',
      'payment-fee --org main --set rate=4.99 --unset account --reason "new contract"',
    ],
    options: [
      several('--set <name=value>', 'a setting and its value; may be repeated'),
      several('--unset <name>', 'a setting that is to have its default again; may be repeated'),
      REASON,
    ],
    run: settings,
  }),
  command('schema', 'Print the JSON Schema of rules, for an editor', {
    examples: ['--org main > rule.schema.json'],
    run: schema,
  }),
  ...RULE_TEMPLATES,
  BACKTEST,
  ...(['enable', 'disable'] as const).map((verb) =>
    command(
      `${verb} <name>`,
      verb === 'enable' ? 'Let a rule act again' : 'Let a rule act no more; it stays as it is',
      {
        examples: [`order-paid --org main --reason "year's end"`],
        options: [REASON],
        run: sends('POST', `rules/<name>/${verb}`),
      },
    ),
  ),
]);

async function show(
  session: Session,
  { document: bare }: { document?: boolean },
  name: string,
): Promise<void> {
  const reply = await session.get(session.within('rules', name));
  const text = isObject(reply.body) ? reply.body['document'] : undefined;
  if (!bare || session.json) return session.show(reply);
  if (typeof text !== 'string') throw new Failure(EXIT.refused, 'Ponte gave no text of the rule.');
  await session.terminal.print(`${lines(text.trimEnd()).join('\n')}\n`);
}

async function put(
  session: Session,
  options: ReasonOptions & { name?: string },
  file: string,
): Promise<void> {
  const document = await documentOf(session, file);
  const name = options.name ?? nameIn(document, file);
  await session.show(
    await session.ask({
      method: 'PUT',
      path: session.within('rules', name),
      query: { reason: options.reason },
      ...document,
    }),
  );
}

async function check(session: Session, _options: object, file: string): Promise<void> {
  const document = await documentOf(session, file);
  const reply = await session.ask({ method: 'POST', path: session.within('rules', 'check'), ...document });
  const { valid, problems, ...about } = isObject(reply.body) ? reply.body : {};
  await session.show(reply, { ...about, valid });
  if (valid === true) return;
  const found = Array.isArray(problems) ? problems.map((problem) => `  ${errorText(problem)}`) : [];
  throw new Failure(EXIT.refused, ['The rule is not valid.', ...found].join('\n'));
}

async function preview(session: Session, options: PreviewOptions, name: string): Promise<void> {
  const { delivery, event, document } = options;
  if ((delivery === undefined) === (event === undefined))
    throw wrongUsage('Of what? Give either --delivery or --event');
  if (event === '-' && document === '-') throw wrongUsage('The standard input can be read only once');
  const body = {
    ...(delivery === undefined ? {} : { deliveryId: delivery }),
    ...(event === undefined ? {} : { event: await session.files.mapping(event) }),
    ...(document === undefined ? {} : { document: await session.files.text(document) }),
  };
  await session.show(await session.send('POST', session.within('rules', name, 'preview'), body));
}

async function schema(session: Session): Promise<void> {
  const reply = await session.get(session.within('rule-schema'));
  if (session.json) return session.show(reply);
  await session.terminal.print(`${JSON.stringify(reply.body, null, 2)}\n`);
}

interface SettingsOptions extends ReasonOptions {
  set?: string[];
  unset?: string[];
}

async function settings(session: Session, options: SettingsOptions, name: string): Promise<void> {
  const path = session.within('rules', name, 'settings');
  const reply = await session.get(path);
  const { set: assignments = [], unset = [], reason } = options;
  if (assignments.length === 0 && unset.length === 0) return session.show(reply);
  const now = setNow(reply.body);
  for (const setting of unset) now.delete(setting);
  for (const assignment of assignments) {
    const [, setting, value = ''] = /^([^=]+)=(.*)$/s.exec(assignment) ?? [];
    if (setting === undefined) throw wrongUsage(`--set ${assignment}: write name=value`);
    now.set(setting, value);
  }
  await session.show(await session.send('PUT', path, { settings: Object.fromEntries(now), reason }));
}

/** What differs from its default, by name. */
function setNow(body: unknown): Map<string, string> {
  const items: unknown = isObject(body) ? body['settings'] : undefined;
  const set = (Array.isArray(items) ? items : []).flatMap((item: unknown): [string, string][] => {
    if (!isObject(item) || item['isSet'] !== true) return [];
    const { name, value } = item;
    return typeof name === 'string' && typeof value === 'string' ? [[name, value]] : [];
  });
  return new Map(set);
}

interface RuleDocument {
  readonly body: string;
  readonly headers: Record<string, string>;
}

async function documentOf(session: Session, file: string): Promise<RuleDocument> {
  const type = file.toLowerCase().endsWith('.json') ? 'application/json' : 'application/yaml';
  return { body: await session.files.text(file), headers: { 'content-type': type } };
}
