import { isObject } from '../../kernel/json-object';
import { command, group, option } from '../definition';
import { EXIT, Failure, wrongUsage } from '../failure';
import { ID, REASON, type ReasonOptions } from '../options';
import { errorText } from '../output/problem';
import { lines } from '../output/text';
import { lists, sends } from '../requests';
import type { Session } from '../session';

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
    examples: ['config/rules/order-paid.yaml --org main --reason "instalments"'],
    options: [option('--name <name>', "the rule's name; absent: `rule` in the file"), REASON],
    run: put,
  }),
  command('check <file>', 'Check a rule without putting it; exits with 1 when something is wrong with it', {
    details: FILE,
    examples: ['config/rules/order-paid.yaml --org main'],
    run: check,
  }),
  command('preview <name>', 'Show what a rule would do, to the cent, and do nothing', {
    details: 'Takes the events of a delivery that is there, or an event from a file.',
    examples: [
      `order-paid --org main --delivery ${ID}`,
      'order-paid --org main --event event.json --document config/rules/order-paid.yaml',
    ],
    options: [
      option('--delivery <id>', 'a delivery whose events are taken'),
      option('--event <file>', 'a canonical event as JSON; - is the standard input'),
      option('--document <file>', "a rule's text that is not put yet, instead of the one in force"),
    ],
    run: preview,
  }),
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

interface RuleDocument {
  readonly body: string;
  readonly headers: Record<string, string>;
}

async function documentOf(session: Session, file: string): Promise<RuleDocument> {
  const type = file.toLowerCase().endsWith('.json') ? 'application/json' : 'application/yaml';
  return { body: await session.files.text(file), headers: { 'content-type': type } };
}

/** Found without reading the YAML, so that a document with mistakes reaches Ponte, which tells them by line. */
function nameIn({ body }: RuleDocument, file: string): string {
  const name = /(?:^|[{,]\s*)["']?rule["']?\s*:\s*["']?([a-z][a-z0-9-]*)/m.exec(body)?.[1];
  if (name === undefined) throw wrongUsage(`${file} does not say \`rule:\`; give --name`);
  return name;
}
