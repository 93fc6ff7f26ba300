import { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import { defineAction } from './action';
import { date, money, optional, required, text, type ValuesOf } from './input-types';

/** Longest name of an account that is its key. */
const MAX_NAME = 200;

/** On this day an account opens of which nobody says when: nothing that a shop sends is dated before it. */
const FIRST_DAY = '2000-01-01';

const INPUT = {
  name: required(text, 'the exact name of the account'),
  bank: optional(text, 'UUID or code of the bank where it is kept'),
  type: optional(text, 'what kind of account it is, as your finance system names it'),
  openBalance: optional(money, 'what is on it when it is opened; needs openedOn'),
  openedOn: optional(
    date,
    `the day of the opening balance; nothing is dated before it. Absent: ${FIRST_DAY}`,
  ),
};

const NO_OPENING_DAY = 'an opening balance needs the day that it is of: the input "openedOn"';

export const accountEnsure = defineAction({
  name: 'account.ensure',
  description: 'Finds the account with exactly this name, or opens one.',
  undo: 'the account stays, with a balance of zero unless something was posted on it',
  asks: ['accounts.list', 'accounts.create'],
  input: INPUT,
  output: { id: { type: 'AccountRef', description: 'the account' } },
  key: { required: false, description: "the account's business key; absent: its name" },
  contradiction: (given) =>
    given.has('openBalance') && !given.has('openedOn')
      ? { input: 'openBalance', message: NO_OPENING_DAY }
      : undefined,
  plan(input, { organization, key }) {
    const refused = problemOf(input, organization);
    if (refused !== undefined) return { refused };
    const { name, bank, type, openBalance = Money.zero(organization.currency), openedOn } = input;
    return {
      effects: [
        {
          key: key === '' ? `account/name/${name}` : `account/key/${key}`,
          operation: 'account.ensure',
          input: {
            name,
            ...(bank !== undefined && { bank }),
            ...(type !== undefined && { type }),
            openBalance: openBalance.toString(),
            openedOn: openedOn?.toString() ?? FIRST_DAY,
          },
        },
      ],
    };
  },
});

function problemOf(
  { name, openBalance, openedOn }: ValuesOf<typeof INPUT>,
  { currency }: Organization,
): string | undefined {
  if (name.length > MAX_NAME) return `the account's name is longer than ${MAX_NAME} characters`;
  if (openBalance === undefined) return undefined;
  if (openBalance.currency !== currency)
    return `the opening balance is in ${openBalance.currency}, but the books are kept in ${currency}`;
  return openedOn === undefined ? NO_OPENING_DAY : undefined;
}
