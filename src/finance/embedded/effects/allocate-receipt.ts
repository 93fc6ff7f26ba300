import { schedulesPaid } from '../changes/announce';
import { isRefused } from '../../api/ports/outcome';
import { settleSchedules } from '../receipts/receipts.repository';
import type { Settlement } from '../receipts/settlement';
import { applyReadable, type EffectHandler, type ReservedEffect } from './effect-handler';
import { attempt } from '../../api/effects/effect-input';
import { leftOver, readAllocation, type ReceiptAllocationInput } from '../../api/effects/receipt-allocate';

/** A settlement that remembers its effect's key, to speak of it. */
type KeyedSettlement = Settlement & { key: string };

export const allocateReceipt: EffectHandler<ReceiptAllocationInput> = {
  recordsOf: ({ schedules }) => [schedules].flat().length,
  outputOf: (ids) => ({ id: ids[0], all: [...ids] }),
  async applyMany(posting, effects) {
    const settlements = effects.map((effect) => attempt(() => toSettlement(effect)));
    const settled = await applyReadable(settlements, (readable) => settleSchedules(posting, readable));
    return settled.map((outcome, index) => {
      if (isRefused(outcome)) return outcome;
      const { entryIds, paidIds } = outcome;
      const settlement = settlements[index];
      const attention = settlement && !isRefused(settlement) ? leftOver(settlement, outcome) : [];
      const receipts = entryIds.map((id) => ({ type: 'receipt.registered', id }) as const);
      const changes = [...receipts, ...schedulesPaid(paidIds)];
      return { output: { id: entryIds[0], all: entryIds }, attention, changes };
    });
  },
};

function toSettlement({
  organization,
  key,
  input,
  ids,
}: ReservedEffect<ReceiptAllocationInput>): KeyedSettlement {
  return {
    key,
    organization,
    kind: 'credit',
    ...readAllocation(input, organization),
    mode: 'oldest-first',
    entryIds: ids,
  };
}
