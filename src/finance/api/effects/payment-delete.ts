import type { EffectDeclaration } from './declaration';
import { readId } from './effect-input';

export interface PaymentDeletionInput {
  /** UUID of the payable. */
  schedule: string;
  /** UUID of its payment. */
  payment: string;
}

/** Takes a payment of a payable back, which opens the payable again. Undone by paying it again. */
export const paymentDelete: EffectDeclaration<PaymentDeletionInput> = {};

/** A deletion as an effect says it. @throws Problem */
export function readDeletion({ schedule, payment }: PaymentDeletionInput) {
  return { scheduleId: readId('schedule', schedule), paymentId: readId('payment', payment) };
}
