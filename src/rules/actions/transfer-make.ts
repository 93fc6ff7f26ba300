import { defineAction } from './action';
import { amountProblem } from './amounts';
import { isReference, type Reference } from '../../finance/api/effects/reference';
import { account, date, money, required } from './input-types';

const SAME_ACCOUNT = 'the money would leave the account that gets it: give "to" another account than "from"';

export const transferMake = defineAction({
  name: 'transfer.make',
  description:
    'Moves money between two accounts, such as a gateway paying out to the bank, once for its key.',
  undo: 'transfer.make the other way',
  asks: ['accounts.transfer'],
  input: {
    from: required(account, 'code or UUID of the account that the money leaves'),
    to: required(account, 'code or UUID of the account that gets it'),
    value: required(money, "how much, in the organization's currency, above zero"),
    date: required(date, 'when it moved'),
  },
  output: {},
  key: { required: true, description: 'business key, for example ${payout.key}' },
  contradiction(given) {
    const [from, to] = [given.get('from'), given.get('to')];
    return from !== undefined && from === to ? { input: 'to', message: SAME_ACCOUNT } : undefined;
  },
  plan({ from, to, value, date: day }, { organization, key }) {
    const refused = amountProblem('the value', value, organization);
    if (refused !== undefined) return { refused };
    if (nameOf(from) === nameOf(to)) return { refused: SAME_ACCOUNT };
    const amount = value.toString();
    return {
      effects: [
        {
          key: `transfer/${key}`,
          operation: 'transfer.make',
          amount,
          input: { from, to, value: amount, date: day.toString() },
        },
      ],
    };
  },
});

function nameOf(named: string | Reference): string {
  return isReference(named) ? named.$ref : named;
}
