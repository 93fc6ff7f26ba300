import { isObject } from '../../kernel/json-object';
import type { Reply } from '../client';
import { command, option, required } from '../definition';
import { EXIT, Failure, wrongUsage } from '../failure';
import { REASON, type ReasonOptions } from '../options';
import { errorText } from '../output/problem';
import { lines } from '../output/text';
import { lists } from '../requests';
import type { Session } from '../session';

/** Where a document says the name of its rule. */
const NAME_LINE = /^rule:[ \t]*[a-z0-9-]+/m;
const YAML = { 'content-type': 'application/yaml' };

interface NewOptions extends ReasonOptions {
  template: string;
  put?: boolean;
}

/** `ponte rules templates` and `ponte rules new`. */
export const RULE_TEMPLATES = [
  command('templates', 'List what a new rule can begin with', {
    examples: ['--org main'],
    run: lists('rule-templates', ['name', 'event', 'description']),
  }),
  command<NewOptions>('new <name>', 'Print a rule made of a template, after checking it; put it with --put', {
    details:
      'It is checked against the organization: the tables that it names must be there. With --json it prints the check.',
    examples: [
      'refunds-to-approve --template large-refund --org main > refunds-to-approve.yaml',
      'tell-the-erp --template paid-order-message --org main --put',
    ],
    options: [
      required('--template <name>', 'what it begins with; `ponte rules templates` lists them'),
      option('--put', 'put it in force, instead of printing it'),
      REASON,
    ],
    run: create,
  }),
];

async function create(session: Session, options: NewOptions, name: string): Promise<void> {
  const { template, put, reason } = options;
  if (reason !== undefined && put !== true)
    throw wrongUsage('--reason is for --put: nothing else is changed');
  const reply = await session.get(session.within('rule-templates', template));
  const text = isObject(reply.body) ? reply.body['document'] : undefined;
  if (typeof text !== 'string' || !NAME_LINE.test(text))
    throw new Failure(EXIT.refused, 'Ponte gave no text of the template.');
  const body = text.replace(NAME_LINE, `rule: ${name}`);
  const checked = await check(session, body);
  if (put === true) {
    const path = session.within('rules', name);
    return session.show(await session.ask({ method: 'PUT', path, query: { reason }, body, headers: YAML }));
  }
  if (session.json) return session.printJson(checked);
  await session.terminal.print(`${lines(body.trimEnd()).join('\n')}\n`);
}

/** @returns what Ponte answered; warnings are said and no more @throws Failure that says what is wrong */
async function check(session: Session, body: string): Promise<Reply> {
  const path = session.within('rules', 'check');
  const reply = await session.ask({ method: 'POST', path, body, headers: YAML });
  const { valid, problems, warnings } = isObject(reply.body) ? reply.body : {};
  if (valid !== true) {
    const said = Array.isArray(problems) ? problems.map((problem) => `  ${errorText(problem)}`) : [];
    throw new Failure(EXIT.refused, ['The rule would not be valid here.', ...said].join('\n'));
  }
  for (const warning of Array.isArray(warnings) ? warnings : [])
    if (typeof warning === 'string') await session.terminal.say(warning);
  return reply;
}
