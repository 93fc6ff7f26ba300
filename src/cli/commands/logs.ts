import { command, group, option } from '../definition';
import { ID, NEEDED_REASON, PAGING, period } from '../options';
import { lists, sends } from '../requests';

const ITEM_COLUMNS = ['id', 'createdAt', 'delivery', 'businessKey', 'code', 'value', 'currency', 'detail'];

export const ATTENTION = group('attention', 'what a person must check although nothing failed', [
  command('list', 'List money left over, amounts that changed and the like, newest first', {
    examples: ['--org main'],
    options: PAGING,
    run: lists('attention', ITEM_COLUMNS),
  }),
  command('resolve <id>', 'Take an item off the list, because a person has dealt with it', {
    examples: [`${ID} --org main --reason "refund entered by hand"`],
    options: [NEEDED_REASON],
    run: sends('POST', 'attention/<id>/resolve', { done: 'It is off the list.' }),
  }),
]);

export const AUDIT = group('audit', 'who changed what, when and why', [
  command('list', 'List changes, newest first; --json also shows before and after', {
    examples: ['--org main --action key.create', '--org main --all --json'],
    options: [
      option('--action <name>', 'only this, such as key.create'),
      option('--subject <id>', 'only what was done to this'),
      option('--actor <id>', 'only what this key did'),
      ...period('done'),
      ...PAGING,
    ],
    run: lists('audit', ['at', 'actor', 'action', 'subject', 'reason']),
  }),
]);
