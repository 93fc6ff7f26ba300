import type { EffectInputs, EffectOperation } from '../../api/effects/registry';
import { allocateReceipt } from './allocate-receipt';
import { createCreditSchedule } from './create-credit-schedule';
import type { EffectHandler } from './effect-handler';
import { ensureCustomer } from './ensure-customer';
import { makeTransfer } from './make-transfer';
import { registerPayment, registerReceipt } from './register-directly';

/** How each effect becomes records of Ponte's own books. */
export const EMBEDDED_HANDLERS: { readonly [O in EffectOperation]: EffectHandler<EffectInputs[O]> } = {
  'customer.ensure': ensureCustomer,
  'credit-schedule.create': createCreditSchedule,
  'receipt.allocate': allocateReceipt,
  'payment.register': registerPayment,
  'receipt.register': registerReceipt,
  'transfer.make': makeTransfer,
};
