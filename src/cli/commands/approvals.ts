import { command, group, option } from '../definition';
import { ID, NEEDED_REASON, PAGING, REASON } from '../options';
import { lists, sends, shows } from '../requests';

const STATES = ['waiting', 'approved', 'declined'];
const COLUMNS = [
  ...['id', 'state', 'plan.operation', 'plan.amount', 'currency'],
  ...['effectKey', 'rule', 'step', 'requestedAt'],
];

export const APPROVALS = group('approvals', 'what rules want done that an operator has to agree to', [
  command('list', 'List effects that an operator has to approve, the latest first', {
    examples: ['--org main --state waiting'],
    options: [option('--state <state>', 'in this state', STATES), ...PAGING],
    run: lists('approvals', COLUMNS),
  }),
  command('show <id>', 'Show one, with all that would be made', {
    examples: [`${ID} --org main`],
    run: shows('approvals/<id>'),
  }),
  command('approve <id>', 'Have the effect made, once, exactly as the plan says', {
    examples: [`${ID} --org main --reason "checked with the shop"`],
    options: [REASON],
    run: sends('POST', 'approvals/<id>/approve', { done: 'Approved.' }),
  }),
  command('decline <id>', 'Have the effect never made, until it is reopened', {
    examples: [`${ID} --org main --reason "the buyer kept the goods"`],
    options: [NEEDED_REASON],
    run: sends('POST', 'approvals/<id>/decline', { done: 'Declined.' }),
  }),
  command('reopen <id>', 'Let a declined effect wait for an operator again', {
    examples: [`${ID} --org main --reason "declined by mistake"`],
    options: [NEEDED_REASON],
    run: sends('POST', 'approvals/<id>/reopen', { done: 'It waits again.' }),
  }),
]);
