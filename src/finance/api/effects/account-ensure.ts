import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { changed, type EffectDeclaration } from './declaration';
import { readDay, readMoney, readRequired, readText } from './effect-input';

export interface AccountInput {
  /** The exact name of the account. */
  name: string;
  /** A bank's UUID or code; absent: none. */
  bank?: string;
  type?: string;
  /** Decimal text in the organization's currency, also below zero. */
  openBalance: string;
  /** `YYYY-MM-DD`: nothing on the account is dated before it. */
  openedOn: string;
}

/**
 * Finds the account of a name, else opens it. One that is there stays as it is. Nothing undoes it: the interface has no
 * operation that removes an account.
 */
export const accountEnsure: EffectDeclaration<AccountInput> = {
  differences: (before, now) => [
    ...changed('name', before.name, now.name),
    ...changed('opening balance', before.openBalance, now.openBalance),
    ...changed('opening date', before.openedOn, now.openedOn),
  ],
};

/** An account as an effect says it. */
export interface ReadAccount {
  name: string;
  bank?: string;
  type?: string;
  openBalance: Money;
  openedOn: CalendarDate;
}

/** @throws Problem */
export function readAccount(input: AccountInput, organization: Organization): ReadAccount {
  return {
    name: readRequired("account's name", input.name),
    bank: readText('bank', input.bank),
    type: readText('type', input.type),
    openBalance: readMoney('opening balance', input.openBalance, organization),
    openedOn: readDay('opening date', input.openedOn),
  };
}

/** The refusal of a name that several accounts have. */
export function severalAccounts(): string {
  return 'more than one account has this name: name the account by its code or identifier instead';
}
