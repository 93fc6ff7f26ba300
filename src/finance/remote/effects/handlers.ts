import type { EffectInputs, EffectOperation } from '../../api/effects/registry';
import { allocateReceipt } from './allocate-receipt';
import { createCreditSchedule } from './create-credit-schedule';
import { ensureCustomer } from './ensure-customer';
import { makeTransfer } from './make-transfer';
import { registerPayment, registerReceipt } from './register-directly';
import type { RemoteEffectHandler } from './remote-effect';

/** How each effect becomes calls to a remote finance service. */
export const REMOTE_HANDLERS: { readonly [O in EffectOperation]: RemoteEffectHandler<EffectInputs[O]> } = {
  'customer.ensure': ensureCustomer,
  'credit-schedule.create': createCreditSchedule,
  'receipt.allocate': allocateReceipt,
  'payment.register': registerPayment,
  'receipt.register': registerReceipt,
  'transfer.make': makeTransfer,
};
