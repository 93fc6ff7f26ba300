import { creditScheduleCreate } from './credit-schedule-create';
import { customerEnsure } from './customer-ensure';
import type { EffectDeclaration } from './declaration';
import { paymentRegister, receiptRegister } from './direct-registration';
import { receiptAllocate } from './receipt-allocate';
import { transferMake } from './transfer-make';

/**
 * Operations that change the finance system, as rules ask for them. A new one is a file beside these with a line here,
 * and a handler for each backend with a line in its `handlers.ts`.
 */
export const EFFECTS = {
  'customer.ensure': customerEnsure,
  'credit-schedule.create': creditScheduleCreate,
  'receipt.allocate': receiptAllocate,
  'payment.register': paymentRegister,
  'receipt.register': receiptRegister,
  'transfer.make': transferMake,
} as const;

export type EffectOperation = keyof typeof EFFECTS;

type InputOf<D> = D extends EffectDeclaration<infer Input> ? Input : never;

/** What each operation is asked with. */
export type EffectInputs = { [O in EffectOperation]: InputOf<(typeof EFFECTS)[O]> };
