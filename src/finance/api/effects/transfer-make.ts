import type { Organization } from '../../../kernel/organization';
import { changed, changedName, type EffectDeclaration } from './declaration';
import { readDay, readName, readPositive } from './effect-input';
import type { Reference } from './reference';

export interface TransferInput {
  /** UUID or code of the account that the money leaves. */
  from: string | Reference;
  /** UUID or code of the account that gets it. */
  to: string | Reference;
  /** Decimal text in the organization's currency. */
  value: string;
  /** `YYYY-MM-DD` */
  date: string;
}

/** Money that moves between two accounts of the organization. Undone by a transfer of the same amount back. */
export const transferMake: EffectDeclaration<TransferInput> = {
  differences: (before, now, { dates, names }) => [
    ...(dates ? changed('date', before.date, now.date) : []),
    ...(names ? changedName('account it left', before.from, now.from) : []),
    ...(names ? changedName('account it reached', before.to, now.to) : []),
  ],
};

/** A transfer as an effect says it. @throws Problem */
export function readTransfer(input: TransferInput, organization: Organization) {
  return {
    origin: readName('account that the money leaves', input.from),
    destiny: readName('account that the money reaches', input.to),
    value: readPositive('value', input.value, organization),
    date: readDay('date', input.date),
  };
}
