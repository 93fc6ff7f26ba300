import type { Organization } from '../../../kernel/organization';
import { changed, changedRecords, type EffectDeclaration } from './declaration';
import { readDay, readId, readName, readPositive, readRequired, readText } from './effect-input';
import type { Reference } from './reference';

export interface DirectInput {
  /** UUID or code of the account that the money leaves or reaches. */
  account: string | Reference;
  /** Decimal text in the organization's currency. */
  value: string;
  /** `YYYY-MM-DD` */
  date: string;
  description: string;
  /** The business reference that the record carries. */
  reference: string;
  /** UUID of whom it is paid to or comes from; absent: nobody is named. */
  stakeholder?: string | Reference;
  /** A category's UUID or reference code; absent: none. */
  category?: string;
  /** A cost center's UUID or external code; absent: none. */
  costCenter?: string;
  /** Key of an effect that is the same money, posted otherwise: where that one stands, this one is left out. Absent: there is none. */
  unless?: string;
}

/** Money that moves on an account without a schedule. */
const direct: EffectDeclaration<DirectInput> = {
  differences: (before, now, context) => [
    ...(context.dates ? changed('date', before.date, now.date) : []),
    ...changedRecords(before, now, context),
  ],
};

/** Money that leaves an account without a payable: a refund, a fee. Undone by a receipt of the same amount. */
export const paymentRegister = direct;

/** Money that reaches an account without a receivable: a chargeback that was won. Undone by a payment of the same amount. */
export const receiptRegister = direct;

/** A payment or receipt as an effect says it. @throws Problem */
export function readDirect(input: DirectInput, organization: Organization) {
  return {
    account: readName('account', input.account),
    value: readPositive('value', input.value, organization),
    date: readDay('date', input.date),
    description: readRequired('description', input.description),
    reference: readRequired('reference', input.reference),
    stakeholderId: input.stakeholder === undefined ? undefined : readId('stakeholder', input.stakeholder),
    category: readText('category', input.category),
    costCenter: readText('cost center', input.costCenter),
  };
}
