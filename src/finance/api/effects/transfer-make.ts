import type { Organization } from '../../../kernel/organization';
import { changed, type EffectDeclaration } from './declaration';
import { readDay, readPositive, readRequired } from './effect-input';

export interface TransferInput {
  /** UUID or code of the account that the money leaves. */
  from: string;
  /** UUID or code of the account that gets it. */
  to: string;
  /** Decimal text in the organization's currency. */
  value: string;
  /** `YYYY-MM-DD` */
  date: string;
}

/** Money that moves between two accounts of the organization. Undone by a transfer of the same amount back. */
export const transferMake: EffectDeclaration<TransferInput> = {
  differences: (before, now, { dates }) => [
    ...(dates ? changed('date', before.date, now.date) : []),
    ...changed('account it left', before.from, now.from),
    ...changed('account it reached', before.to, now.to),
  ],
};

/** A transfer as an effect says it. @throws Problem */
export function readTransfer(input: TransferInput, organization: Organization) {
  return {
    origin: readRequired('account that the money leaves', input.from),
    destiny: readRequired('account that the money reaches', input.to),
    value: readPositive('value', input.value, organization),
    date: readDay('date', input.date),
  };
}
