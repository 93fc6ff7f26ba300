import { isObject } from '../../kernel/json-object';
import { command, group, option } from '../definition';
import { wrongUsage } from '../failure';
import { REASON, type ReasonOptions } from '../options';
import { lists, shows } from '../requests';
import type { Session } from '../session';

export const TABLES = group('tables', 'lookup tables that rules read', [
  command('list', 'List the lookup tables', {
    examples: ['--org main'],
    run: lists('tables', ['name', 'entries']),
  }),
  command('show <name>', 'Show the entries of a lookup table', {
    examples: ['category --org main'],
    run: shows('tables/<name>'),
  }),
  command('put <file>', 'Replace a lookup table, or make it', {
    details:
      'The file is YAML or JSON with `table`, its name, and `entries`, as in config/tables; - is the standard input.',
    examples: ['config/tables/category.yaml --org main --reason "new category"'],
    options: [option('--name <name>', "the table's name; absent: `table` in the file"), REASON],
    run: put,
  }),
]);

async function put(
  session: Session,
  options: ReasonOptions & { name?: string },
  file: string,
): Promise<void> {
  const { table, entries } = await session.files.mapping(file);
  const name = options.name ?? table;
  if (typeof name !== 'string') throw wrongUsage(`${file} does not say \`table:\`; give --name`);
  if (!isObject(entries)) throw wrongUsage(`${file} has no \`entries:\``);
  const body = { entries, reason: options.reason };
  await session.show(await session.send('PUT', session.within('tables', name), body));
}
