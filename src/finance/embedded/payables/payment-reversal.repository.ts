import type { Transaction } from '../../../database/transaction';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import { postEntries } from '../ledger/posting';
import { lockSchedules } from '../ledger/open-schedules';
import { reversalOf } from '../ledger/reversal';
import { notFound } from '../../api/ports/not-found';

/**
 * Takes back a payment of a payable. The schedule is locked first, so that of several who try at once one
 * reverses it and the others find nothing left.
 * @param scheduleId UUID
 * @param paymentId UUID
 * @returns whether the schedule was paid, and is open again now
 * @throws Problem `not-found` for an unknown payable or payment, and one that was taken back already;
 *   `entry-reconciliated`
 */
export async function reversePayment(
  tx: Transaction,
  organization: Organization,
  scheduleId: string,
  paymentId: string,
): Promise<boolean> {
  const organizationId = organization.id;
  const locked = await lockSchedules(tx, [{ organizationId, scheduleId }]);
  const schedule = locked.get(scheduleId);
  if (schedule?.kind !== 'debit') throw notFound('debit schedule');
  const payment = await tx.entry.findFirst({
    where: { id: paymentId, organizationId, kind: 'payment', debitBook: 'payable', debitId: scheduleId },
  });
  const reversed = await tx.entry.count({ where: { reversesId: paymentId } });
  if (!payment || reversed > 0) throw notFound('payment of this schedule');
  await refuseReconciliated(tx, paymentId);
  await postEntries(tx, [reversalOf(payment)]);
  return schedule.openMinor === 0n;
}

/** Whether a payment of a payable was taken back. @param scheduleId UUID @param paymentId UUID */
export async function wasReversed(
  tx: Transaction,
  { id: organizationId }: Organization,
  scheduleId: string,
  paymentId: string,
): Promise<boolean> {
  const payment = { organizationId, kind: 'payment', debitBook: 'payable', debitId: scheduleId } as const;
  if ((await tx.entry.count({ where: { id: paymentId, ...payment } })) === 0) return false;
  return (await tx.entry.count({ where: { reversesId: paymentId } })) > 0;
}

/** Locks the entry's row, so that it cannot be reconciliated before the reversal is committed. */
async function refuseReconciliated(tx: Transaction, entryId: string): Promise<void> {
  await tx.$queryRaw`select id from entry where id = ${entryId}::uuid for update`;
  if ((await tx.entryReconciliation.count({ where: { entryId } })) > 0) {
    throw new Problem('entry-reconciliated', 'The payment is reconciliated with the bank statement');
  }
}
