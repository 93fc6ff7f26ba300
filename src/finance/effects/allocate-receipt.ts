import { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import { isRefused } from '../outcome';
import { settleSchedules } from '../receipts/receipts.repository';
import type { Settled, Settlement } from '../receipts/settlement';
import type { Attention, ReceiptAllocationInput } from './effect';
import { applyReadable, type EffectHandler, type ReservedEffect } from './effect-handler';
import { attempt, readDay, readIds, readMoney, readRequired } from './effect-input';

/** A settlement that remembers its effect's key, to speak of it. */
type KeyedSettlement = Settlement & { key: string };

export const allocateReceipt: EffectHandler<'receipt.allocate'> = {
  recordsOf: ({ schedules }) => (Array.isArray(schedules) ? schedules.length : 0),
  outputOf: (ids) => ({ id: ids[0], all: [...ids] }),
  async applyMany(posting, effects) {
    const settlements = effects.map((effect) => attempt(() => toSettlement(effect)));
    const settled = await applyReadable(settlements, (readable) => settleSchedules(posting, readable));
    return settled.map((outcome, index) => {
      if (isRefused(outcome)) return outcome;
      const { entryIds } = outcome;
      const settlement = settlements[index];
      const attention = settlement && !isRefused(settlement) ? leftOver(settlement, outcome) : [];
      const changes = entryIds.map((id) => ({ type: 'receipt.registered', id }) as const);
      return { output: { id: entryIds[0], all: entryIds }, attention, changes };
    });
  },
};

function toSettlement({
  organization,
  key,
  input,
  ids,
}: ReservedEffect<'receipt.allocate'>): KeyedSettlement {
  return {
    key,
    organization,
    kind: 'credit',
    ...readAllocation(input, organization),
    mode: 'oldest-first',
    entryIds: ids,
  };
}

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
  { key, value }: Pick<KeyedSettlement, 'key' | 'value'>,
  { leftOverMinor }: Pick<Settled, 'leftOverMinor'>,
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
