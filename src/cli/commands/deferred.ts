import { command, group, option } from '../definition';
import { ID, NEEDED_REASON, PAGING } from '../options';
import { lists, sends } from '../requests';

const STATES = ['waiting', 'applied', 'refused', 'cancelled'];
const COLUMNS = ['id', 'state', 'notBefore', 'operation', 'key', 'value', 'attempts', 'reason'];

export const DEFERRED = group('deferred', 'effects that are applied after their deliveries', [
  command(
    'list',
    'List effects that are applied after their deliveries, newest first; waiting ones unless asked',
    {
      examples: ['--org main --state refused'],
      options: [option('--state <state>', 'in this state (default: waiting)', STATES), ...PAGING],
      run: lists('deferred-effects', COLUMNS),
    },
  ),
  command('cancel <id>', 'Give one up: it is not applied on its day, nor put off again', {
    examples: [`${ID} --org main --reason "the sale was taken back"`],
    options: [NEEDED_REASON],
    run: sends('POST', 'deferred-effects/<id>/cancel', { done: 'Given up.' }),
  }),
  command('retry <id>', 'Try one again now', {
    details: 'One whose day has not come waits for its day.',
    examples: [`${ID} --org main --reason "the account is there now"`],
    options: [NEEDED_REASON],
    run: sends('POST', 'deferred-effects/<id>/retry', { done: 'It is tried again.' }),
  }),
]);
