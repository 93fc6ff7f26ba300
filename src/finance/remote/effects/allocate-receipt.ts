import { leftOver, readAllocation, type ReceiptAllocationInput } from '../../api/effects/receipt-allocate';
import type { StoredCall } from '../calls/call-states';
import { makeParts, receiptsFor, sumOf } from './receipt-parts';
import type { RemoteEffectHandler } from './remote-effect';

/**
 * Spreads a payment over schedules (operation 13), oldest due date first, and registers one receipt a schedule
 * (operation 5).
 */
export const allocateReceipt: RemoteEffectHandler<ReceiptAllocationInput> = async (effect) => {
  const { connection, organization, key, tools } = effect;
  const { schedules, value, date, account, identifier } = readAllocation(effect.input, organization);
  /** Minor units that receipts leave over of the payment. */
  const restOf = (receipts: readonly StoredCall[]): bigint => {
    const spread = sumOf(organization, receipts);
    return value.minor > spread ? value.minor - spread : 0n;
  };
  const made = await makeParts(effect, async (kept) => {
    const accountId = await tools.names.account(connection, organization, account);
    const fields = { accountId, date: date.toString(), identifier };
    return receiptsFor(effect, schedules, restOf(kept), fields, 'oldest-first');
  });
  if (!Array.isArray(made)) return made;
  const attention = leftOver({ key, value }, { leftOverMinor: restOf(made) });
  return { state: 'applied', output: { all: [] }, attention };
};
