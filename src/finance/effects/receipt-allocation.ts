import { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import type { Attention, ReceiptAllocationInput } from '../api/ports/effect';
import { readDay, readIds, readMoney, readRequired } from './effect-input';

/** A payment as an effect says it. @throws Problem */
export function readAllocation(input: ReceiptAllocationInput, organization: Organization) {
  return {
    schedules: readIds('schedule', input.schedules),
    value: readMoney('value', input.value, organization),
    date: readDay('date', input.date),
    account: readRequired('account', input.account),
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
