import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import type { Attention } from './attention';
import { changed, changedName, type EffectDeclaration } from './declaration';
import type { Reference } from './reference';
import { readDay, readIds, readName, readPositive, readRequired } from './effect-input';

export interface ReceiptAllocationInput {
  /** Schedules' UUIDs, or one's, or an output of the step that created them. */
  schedules: string | string[] | Reference;
  /** Decimal text in the organization's currency. */
  value: string;
  /** `YYYY-MM-DD` */
  date: string;
  /** An account's UUID or code. */
  account: string | Reference;
  /** The payment's business key: written to each receipt's `identifier`. */
  identifier: string;
}

/** One payment spread over schedules, oldest due date first, as one receipt a schedule. */
export const receiptAllocate: EffectDeclaration<ReceiptAllocationInput> = {
  differences: (before, now, { dates }) => [
    ...(dates ? changed('date', before.date, now.date) : []),
    ...changedName('account', before.account, now.account),
  ],
};

/** A payment as an effect says it. @throws Problem */
export function readAllocation(input: ReceiptAllocationInput, organization: Organization) {
  return {
    schedules: readIds('schedule', input.schedules),
    value: readPositive('value', input.value, organization),
    date: readDay('date', input.date),
    account: readName('account', input.account),
    identifier: readRequired('identifier', input.identifier),
  };
}

/** What a payment found nothing open for. */
export function leftOver(
  { key, value }: { key: string; value: Money },
  { leftOverMinor }: { leftOverMinor: bigint },
): Attention[] {
  if (leftOverMinor === 0n) return [];
  const rest = Money.ofMinor(leftOverMinor, value.currency);
  const used = value.minus(rest);
  return [
    {
      code: 'payment-left-over',
      detail:
        `of the payment ${key} of ${value.toString()} ${value.currency}, ${used.toString()} settled what was ` +
        `open and ${rest.toString()} is left over`,
      amount: rest.toString(),
    },
  ];
}
