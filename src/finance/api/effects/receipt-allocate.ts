import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import type { Attention } from './attention';
import { changed, changedRecords, type EffectDeclaration } from './declaration';
import type { Reference } from './reference';
import { readDay, readIds, readName, readPositive, readRequired, readText } from './effect-input';

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
  /** Absent: what finds nothing open is left to a person, whatever the reason. */
  afterWriteOff?: IncomeAfterWriteOff;
  /** Key of an effect that is the same money, posted otherwise: where that one stands, this one is left out. Absent: there is none. */
  unless?: string;
}

/** How a payment is booked that comes for receivables after they were written off. */
export interface IncomeAfterWriteOff {
  /** Key of the effect that wrote them off. Where it wrote nothing off, what finds nothing open is left to a person. */
  key: string;
  /** It is known to be paid after that, whether that was made or not yet: all of it is income, and nothing is settled. */
  late?: boolean;
  /** A category's UUID or reference code; absent: none. */
  category?: string;
  description: string;
}

/** One payment spread over schedules, oldest due date first, as one receipt a schedule. */
export const receiptAllocate: EffectDeclaration<ReceiptAllocationInput> = {
  differences: (before, now, context) => [
    ...(context.dates ? changed('date', before.date, now.date) : []),
    ...changedRecords({ account: before.account }, { account: now.account }, context),
  ],
};

/** A payment as an effect says it. @throws Problem */
export function readAllocation(input: ReceiptAllocationInput, organization: Organization) {
  const schedules = readIds('schedule', input.schedules);
  return {
    schedules: input.afterWriteOff?.late ? [] : schedules,
    value: readPositive('value', input.value, organization),
    date: readDay('date', input.date),
    account: readName('account', input.account),
    identifier: readRequired('identifier', input.identifier),
    afterWriteOff: input.afterWriteOff && readIncome(input.afterWriteOff),
  };
}

function readIncome({ key, late, category, description }: IncomeAfterWriteOff): IncomeAfterWriteOff {
  return {
    key: readRequired('key of the write-off', key),
    late: late === true,
    category: readText('category', category),
    description: readRequired('description', description),
  };
}

/**
 * What a payment found nothing open for, and is booked nowhere.
 * @param reason why it could not be booked as income either; absent: it was not to be
 */
export function leftOver(
  { key, value }: { key: string; value: Money },
  { leftOverMinor }: { leftOverMinor: bigint },
  reason?: string,
): Attention[] {
  if (leftOverMinor === 0n) return [];
  const rest = Money.ofMinor(leftOverMinor, value.currency);
  const used = value.minus(rest);
  return [
    {
      code: 'payment-left-over',
      detail:
        `of the payment ${key} of ${value.toString()} ${value.currency}, ${used.toString()} settled what was ` +
        `open and ${rest.toString()} is left over` +
        (reason === undefined
          ? ''
          : `; it came after the rest was written off, and is not booked: ${reason}`),
      amount: rest.toString(),
    },
  ];
}
