import type { Organization } from '../../../kernel/organization';
import { changed, changedRecords, type EffectDeclaration } from './declaration';
import { readDay, readIds, readName, readPositive, readRequired, readText } from './effect-input';
import type { Reference } from './reference';

export interface WriteOffInput {
  /** Schedules' UUIDs, or one's, or an output of the step that created them. */
  schedules: string | string[] | Reference;
  /** UUID or code of the account through which it is written off. */
  account: string | Reference;
  /** UUID or reference code of a category for money that goes out. */
  category: string;
  /** UUID or external code; absent: none. */
  costCenter?: string;
  /** `YYYY-MM-DD` */
  date: string;
  description: string;
  /** The business key that the receipts carry as their identifier and the payment as its reference. */
  reference: string;
  /** Decimal text in the organization's currency: at most so much, newest due dates first; absent: all that is open. */
  value?: string;
}

/**
 * What is open of schedules is given up: receipts on an account settle it, and a payment of the same sum leaves that
 * account at once, so that the account is where it was. Undone by a receipt of the same sum on the account that got the
 * money after all: what was written off cannot be opened again.
 */
export const writeOff: EffectDeclaration<WriteOffInput> = {
  differences: (before, now, context) => [
    ...(context.dates ? changed('date', before.date, now.date) : []),
    ...changedRecords(before, now, context),
  ],
};

/** A write-off as an effect says it. @throws Problem */
export function readWriteOff(input: WriteOffInput, organization: Organization) {
  return {
    schedules: readIds('schedule', input.schedules),
    account: readName('account', input.account),
    category: readRequired('category', input.category),
    costCenter: readText('cost center', input.costCenter),
    date: readDay('date', input.date),
    description: readRequired('description', input.description),
    reference: readRequired('reference', input.reference),
    most: input.value === undefined ? undefined : readPositive('value', input.value, organization),
  };
}
