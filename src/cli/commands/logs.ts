import type { Command } from 'commander';
import { CommandGroup, option } from '../definition';
import { list, type PageOptions } from '../listing';
import { NEEDED_REASON, PAGING, period, type PeriodOptions, type ReasonOptions } from '../options';
import type { Terminal } from '../terminal';

type AuditOptions = PageOptions & PeriodOptions & { action?: string; subject?: string; actor?: string };

const ATTENTION = ['id', 'createdAt', 'delivery', 'businessKey', 'code', 'value', 'currency', 'detail'];
const AUDIT = ['at', 'actor', 'action', 'subject', 'reason'];

/** What a person should know of. */
export function logCommands(program: Command, terminal: Terminal): void {
  new CommandGroup(program, terminal, 'attention', 'what nothing failed for, but a person must look at')
    .add<PageOptions>({
      usage: 'list',
      summary: 'List money left over, amounts that changed and the like, newest first',
      examples: ['ponte attention list --org main'],
      options: PAGING,
      run: (session, options) => list(session, session.within('attention'), ATTENTION, {}, options),
    })
    .add<ReasonOptions>({
      usage: 'resolve <id>',
      summary: 'Take an item off the list, because a person has dealt with it',
      examples: [
        'ponte attention resolve 01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61 --org main --reason "refund entered by hand"',
      ],
      options: [NEEDED_REASON],
      run: async (session, { reason }, id) =>
        session.done(
          await session.send('POST', session.within('attention', id, 'resolve'), { reason }),
          'It is off the list.',
        ),
    });
  new CommandGroup(program, terminal, 'audit', 'who changed what, when and why').add<AuditOptions>({
    usage: 'list',
    summary: 'List changes, newest first; --json also tells before and after',
    examples: ['ponte audit list --org main --action key.create', 'ponte audit list --org main --all --json'],
    options: [
      option('--action <name>', 'only this, such as key.create'),
      option('--subject <id>', 'only what was done to this'),
      option('--actor <id>', 'only what this key did'),
      ...period('done'),
      ...PAGING,
    ],
    run: (session, options) => {
      const { action, subject, actor, from, to } = options;
      return list(session, session.within('audit'), AUDIT, { action, subject, actor, from, to }, options);
    },
  });
}
