import type { Command } from 'commander';
import { CommandGroup, option } from '../definition';
import { wrongUsage } from '../failure';
import { list } from '../listing';
import { REASON, type ReasonOptions } from '../options';
import type { Session } from '../session';
import type { Terminal } from '../terminal';
import { isObject } from '../../kernel/json-object';

interface PutOptions extends ReasonOptions {
  name?: string;
}

export function tableCommands(program: Command, terminal: Terminal): void {
  new CommandGroup(program, terminal, 'tables', 'lookup tables that rules read')
    .add({
      usage: 'list',
      summary: 'List the lookup tables',
      examples: ['ponte tables list --org main'],
      run: (session) => list(session, session.within('tables'), ['name', 'entries']),
    })
    .add({
      usage: 'show <name>',
      summary: 'Show the entries of a lookup table',
      examples: ['ponte tables show category --org main'],
      run: async (session, _options, name) => session.show(await session.get(session.within('tables', name))),
    })
    .add<PutOptions>({
      usage: 'put <file>',
      summary: 'Replace a lookup table, or make it',
      details:
        'The file is YAML or JSON with `table`, its name, and `entries`, as in config/tables; - is the standard input.',
      examples: ['ponte tables put config/tables/category.yaml --org main --reason "new category"'],
      options: [option('--name <name>', "the table's name; absent: `table` in the file"), REASON],
      run: put,
    });
}

async function put(session: Session, options: PutOptions, file: string): Promise<void> {
  const { table, entries } = await session.files.mapping(file);
  const name = options.name ?? table;
  if (typeof name !== 'string') throw wrongUsage(`${file} does not say \`table:\`; give --name`);
  if (!isObject(entries)) throw wrongUsage(`${file} has no \`entries:\``);
  const body = { entries, reason: options.reason };
  await session.show(await session.send('PUT', session.within('tables', name), body));
}
