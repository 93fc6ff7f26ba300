import { attempt } from '../../api/effects/effect-input';
import { type PaymentDeletionInput, readDeletion } from '../../api/effects/payment-delete';
import { isRefused, type Outcome } from '../../api/ports/outcome';
import { Problem } from '../../../kernel/problem';
import type { RecordChange } from '../changes/announce';
import type { Posting } from '../ledger/posting';
import { reversePayment, wasReversed } from '../payables/payment-reversal.repository';
import type { Applied, EffectHandler, ReservedEffect } from './effect-handler';

/** Payments are taken back one after another: each locks its payable, and rules seldom ask for one. */
export const deletePayment: EffectHandler<PaymentDeletionInput> = {
  recordsOf: () => 0,
  outputOf: () => ({}),
  async applyMany(posting, effects) {
    const outcomes: Outcome<Applied>[] = [];
    for (const effect of effects) outcomes.push(await deleteOne(posting, effect));
    return outcomes;
  },
};

async function deleteOne(
  { tx }: Posting,
  { organization, input }: ReservedEffect<PaymentDeletionInput>,
): Promise<Outcome<Applied>> {
  const read = attempt(() => readDeletion(input));
  if (isRefused(read)) return read;
  const { scheduleId, paymentId } = read;
  const nothing = { output: {}, attention: [] };
  try {
    const isReopened = await reversePayment(tx, organization, scheduleId, paymentId);
    const changes: RecordChange[] = [{ type: 'payment.deleted', id: paymentId }];
    if (isReopened) changes.push({ type: 'schedule.reopened', id: scheduleId });
    return { ...nothing, changes };
  } catch (error) {
    // It refuses before it writes.
    if (!(error instanceof Problem)) throw error;
    const isGone = await wasReversed(tx, organization, scheduleId, paymentId);
    return isGone ? { ...nothing, changes: [], found: true } : error;
  }
}
