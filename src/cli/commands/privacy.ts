import { isObject } from '../../kernel/json-object';
import { command, group, option } from '../definition';
import { ID, NEEDED_REASON, PAGING, PLAN, type PlanOptions } from '../options';
import { valueAt } from '../output/values';
import { lists, shows } from '../requests';
import type { Session } from '../session';

const PERSON = [
  option('--document <number>', 'their CPF, CNPJ or other document'),
  option('--email <address>', 'their e-mail address'),
  option('--customer <id>', "a customer's identifier in the finance interface"),
  option('--delivery <id>', 'the webhook by which a shop asked'),
  NEEDED_REASON,
];

/** What the law on personal data gives a person a right to. */
export const PRIVACY = group('privacy', 'what is stored of a person: a copy of it, and its erasure', [
  command('export', 'Show all that is stored of a person, as JSON', {
    details: 'One of --document, --email, --customer and --delivery says who. It stands in the audit log.',
    examples: ['--org main --document 529.982.247-25 --reason "asked by e-mail" > copy.json'],
    options: PERSON,
    run: copy,
  }),
  command('erase', 'Erase what is stored of a person, after showing what that is', {
    details:
      'One of --document, --email, --customer and --delivery says who. Without a terminal to ask on, --yes or --dry-run is needed.',
    examples: [
      '--org main --email ana@example.com --reason "asked by e-mail" --dry-run',
      '--org main --document 529.982.247-25 --reason "asked by e-mail" --yes',
    ],
    options: [
      ...PERSON,
      option('--discard-dead', 'give up dead letters about the person, which are waited for otherwise'),
      ...PLAN,
    ],
    run: erase,
  }),
  command('erasures', 'List erasures, newest first', {
    examples: ['--org main', '--org main --all --json > erasures.json'],
    options: PAGING,
    run: lists('privacy/erasures', ['id', 'requestedAt', 'requestedBy', 'state', 'note']),
  }),
  command('erasure <id>', 'Show how far an erasure is', {
    examples: [`${ID} --org main`],
    run: shows('privacy/erasures/<id>'),
  }),
]);

/** All pages as one document. */
async function copy(session: Session, asked: object): Promise<void> {
  const path = session.within('privacy', 'export');
  let after: unknown;
  const deliveries: unknown[] = [];
  let whole: object = {};
  do {
    const { body } = await session.send('POST', path, { ...asked, after });
    if (after === undefined && isObject(body)) whole = body;
    const page = valueAt(body, 'deliveries');
    if (Array.isArray(page)) deliveries.push(...(page as unknown[]));
    after = valueAt(body, 'after') ?? undefined;
  } while (typeof after === 'string');
  const text = JSON.stringify({ ...whole, deliveries, after: null });
  await session.printJson({ status: 200, text, body: null });
}

async function erase(
  session: Session,
  { yes, dryRun, ...asked }: PlanOptions & { discardDead?: boolean },
): Promise<void> {
  const path = session.within('privacy', 'erase');
  const planned = await session.send('POST', path, { ...asked, dryRun: true });
  if (dryRun) return session.show(planned);
  const { plan, customers, deliveries } = isObject(planned.body) ? planned.body : {};
  const records = Array.isArray(customers) ? customers.length : 0;
  const question = `Erase it? ${records} records and the bodies of ${String(deliveries)} deliveries; nothing brings them back.`;
  if (!(await session.agreed(question, yes))) return;
  const begun = await session.send('POST', path, { ...asked, dryRun: false, plan });
  await session.show(begun);
  await session.terminal.say(
    `How far it is: ponte privacy erasure ${String(valueAt(begun.body, 'erasure'))}`,
  );
}
