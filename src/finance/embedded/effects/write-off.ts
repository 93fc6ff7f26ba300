import { attempt } from '../../api/effects/effect-input';
import { readWriteOff, type WriteOffInput } from '../../api/effects/write-off';
import { isRefused, type Outcome } from '../../api/ports/outcome';
import { type RecordChange, schedulesPaid } from '../changes/announce';
import { type WriteOff, writeOffSchedules } from '../receipts/write-offs';
import { type Applied, applyReadable, type EffectHandler, type ReservedEffect } from './effect-handler';

export const writeOff: EffectHandler<WriteOffInput> = {
  // The payment, and a receipt for each schedule.
  recordsOf: ({ schedules }) => 1 + [schedules].flat().length,
  outputOf: ([id, ...all]) => ({ id, all }),
  async applyMany(posting, effects) {
    const writeOffs = effects.map((effect) => attempt(() => toWriteOff(effect)));
    const written = await applyReadable(writeOffs, (readable) => writeOffSchedules(posting, readable));
    return written.map((outcome, index): Outcome<Applied> => {
      if (isRefused(outcome)) return outcome;
      const { receiptIds, paidIds } = outcome;
      const [paymentId = ''] = effects[index]?.ids ?? [];
      if (receiptIds.length === 0) return { output: { all: [] }, attention: [], changes: [], found: true };
      const changes: RecordChange[] = [
        ...receiptIds.map((id) => ({ type: 'receipt.registered', id }) as const),
        { type: 'payment.registered', id: paymentId },
        ...schedulesPaid(paidIds),
      ];
      return { output: { id: paymentId, all: receiptIds }, attention: [], changes };
    });
  },
};

function toWriteOff({ organization, input, ids }: ReservedEffect<WriteOffInput>): WriteOff {
  const [paymentId, ...receiptIds] = ids;
  if (paymentId === undefined) throw new Error('a write-off needs an identifier for its payment');
  return { organization, ...readWriteOff(input, organization), paymentId, receiptIds };
}
