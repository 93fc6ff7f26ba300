import { command, group, option } from '../definition';
import { ID, NEEDED_REASON, PAGING } from '../options';
import { lists, sends, shows } from '../requests';

const STATES = ['planned', 'intended', 'applied', 'refused', 'unknown'];
const COLUMNS = ['id', 'state', 'operation', 'effectKey', 'attempts', 'parkedAt', 'createdAt', 'reason'];

function decision(verb: string, summary: string, done: string): ReturnType<typeof command> {
  return command(`${verb} <id>`, summary, {
    examples: [`${ID} --org main --reason "not in the books"`],
    options: [NEEDED_REASON],
    run: sends('POST', `effects/<id>/${verb}`, { done }),
  });
}

export const EFFECTS = group('effects', 'what was asked of a finance service elsewhere', [
  command('list', 'List what was asked of the finance service, newest first; unknown ones unless asked', {
    examples: ['--org main --state unknown'],
    options: [option('--state <state>', 'in this state (default: unknown)', STATES), ...PAGING],
    run: lists('effects', COLUMNS),
  }),
  command('show <id>', 'Show one with every sending, without personal data', {
    examples: [`${ID} --org main`],
    run: shows('effects/<id>'),
  }),
  command('adopt <id>', 'It took effect: take over the record it made', {
    details: 'Check in the finance service first. An operation that makes no record needs no --record.',
    examples: [
      `${ID} --org main --record 01939b2e-6a11-7d3a-8a50-2f0b6c1d9e33 --reason "found in the books"`,
    ],
    options: [option('--record <id>', 'the record that it made'), NEEDED_REASON],
    run: sends('POST', 'effects/<id>/adopt', {
      body: (_session, { record, ...options }: { record?: string }) => ({ recordId: record, ...options }),
      done: 'Adopted.',
    }),
  }),
  decision('repeat', 'It took no effect: send it again', 'It is sent again.'),
  decision('abandon', 'Give it up: it is never sent again', 'Given up.'),
]);
