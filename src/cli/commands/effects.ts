import type { Command } from 'commander';
import { CommandGroup, option } from '../definition';
import { list, type PageOptions } from '../listing';
import { NEEDED_REASON, PAGING } from '../options';
import type { Terminal } from '../terminal';

interface Decision {
  reason: string;
}

const STATES = ['planned', 'intended', 'applied', 'refused', 'unknown'];
const COLUMNS = ['id', 'state', 'operation', 'effectKey', 'attempts', 'parkedAt', 'createdAt', 'reason'];

export function effectCommands(program: Command, terminal: Terminal): void {
  const group = new CommandGroup(
    program,
    terminal,
    'effects',
    'what was asked of a finance service elsewhere',
  )
    .add<PageOptions & { state?: string }>({
      usage: 'list',
      summary: 'List what was asked of the finance service, newest first; unknown ones unless asked',
      examples: ['ponte effects list --org main --state unknown'],
      options: [option('--state <state>', 'in this state (default: unknown)', STATES), ...PAGING],
      run: (session, options) =>
        list(session, session.within('effects'), COLUMNS, { state: options.state }, options),
    })
    .add({
      usage: 'show <id>',
      summary: 'Show one with every sending, without personal data',
      examples: ['ponte effects show 01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61 --org main'],
      run: async (session, _options, id) => session.show(await session.get(session.within('effects', id))),
    })
    .add<Decision & { record?: string }>({
      usage: 'adopt <id>',
      summary: 'It took effect: take over the record it made',
      details: 'Look at the finance service first. An operation that makes no record needs no --record.',
      examples: [
        'ponte effects adopt 01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61 --org main --record 01939b2e-6a11-7d3a-8a50-2f0b6c1d9e33 --reason "found in the books"',
      ],
      options: [option('--record <id>', 'the record that it made'), NEEDED_REASON],
      run: async (session, { record, reason }, id) =>
        session.done(
          await session.send('POST', session.within('effects', id, 'adopt'), { recordId: record, reason }),
          'Adopted.',
        ),
    });
  decision(group, 'repeat', 'It took no effect: send it again', 'It is sent again.');
  decision(group, 'abandon', 'Give it up: it is never sent again', 'Given up.');
}

function decision(group: CommandGroup, verb: string, summary: string, done: string): void {
  group.add<Decision>({
    usage: `${verb} <id>`,
    summary,
    examples: [
      `ponte effects ${verb} 01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61 --org main --reason "not in the books"`,
    ],
    options: [NEEDED_REASON],
    run: async (session, { reason }, id) =>
      session.done(await session.send('POST', session.within('effects', id, verb), { reason }), done),
  });
}
