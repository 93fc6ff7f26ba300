import type { Organization } from '../../../kernel/organization';
import { changed, type EffectDeclaration } from './declaration';
import { readDay, readId, readMoney, readRequired, readText } from './effect-input';
import type { Reference } from './reference';

export interface PaymentInput {
  /** UUID or code of the account that the money leaves. */
  account: string;
  /** Decimal text in the organization's currency. */
  value: string;
  /** `YYYY-MM-DD` */
  date: string;
  description: string;
  /** The business reference that the record carries. */
  reference: string;
  /** UUID of whom it is paid to; absent: nobody is named. */
  stakeholder?: string | Reference;
  /** A category's UUID or reference code; absent: none. */
  category?: string;
  /** A cost center's UUID or external code; absent: none. */
  costCenter?: string;
}

/** Money that leaves an account without a payable: a refund, a fee. Undone by a receipt of the same amount. */
export const paymentRegister: EffectDeclaration<PaymentInput> = {
  differences: (before, now, { dates }) => [
    ...(dates ? changed('date', before.date, now.date) : []),
    ...changed('account', before.account, now.account),
    ...changed('category', before.category, now.category),
    ...changed('cost center', before.costCenter, now.costCenter),
  ],
};

/** A payment as an effect says it. @throws Problem */
export function readPayment(input: PaymentInput, organization: Organization) {
  return {
    account: readRequired('account', input.account),
    value: readMoney('value', input.value, organization),
    date: readDay('date', input.date),
    description: readRequired('description', input.description),
    reference: readRequired('reference', input.reference),
    stakeholderId: input.stakeholder === undefined ? undefined : readId('stakeholder', input.stakeholder),
    category: readText('category', input.category),
    costCenter: readText('cost center', input.costCenter),
  };
}
