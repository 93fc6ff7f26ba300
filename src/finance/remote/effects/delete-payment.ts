import { type PaymentDeletionInput, readDeletion } from '../../api/effects/payment-delete';
import { nameOf, type RemoteEffectHandler, stalled } from './remote-effect';

/** What a service answers where there is no such payment, any more or at all. */
const GONE: ReadonlySet<number> = new Set([404, 410]);

/** Takes a payment of a payable back (operation 8). One that is not there is taken for one that is gone. */
export const deletePayment: RemoteEffectHandler<PaymentDeletionInput> = async (effect) => {
  const { connection, deliveryId, tools } = effect;
  const { scheduleId, paymentId } = readDeletion(effect.input);
  const path = { ScheduleId: scheduleId, PaymentId: paymentId };
  const content = { operation: 'payments.remove', path } as const;
  const result = await tools.calls.make(connection, nameOf(effect), content, { deliveryId });
  const nothing = { output: {}, attention: [] };
  if (result.state === 'applied') return { state: 'applied', ...nothing };
  const isGone = result.state === 'rejected' && GONE.has(result.problem.status);
  return isGone ? { state: 'existing', ...nothing } : stalled(result);
};
