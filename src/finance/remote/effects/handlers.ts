import type { BooksOperation, EffectInputs } from '../../api/effects/registry';
import { allocateReceipt } from './allocate-receipt';
import { createCreditSchedule } from './create-credit-schedule';
import { deletePayment } from './delete-payment';
import { ensureAccount } from './ensure-account';
import { ensureCustomer } from './ensure-customer';
import { findSupplier } from './find-supplier';
import { makeTransfer } from './make-transfer';
import { raiseAttention } from './raise-attention';
import { registerPayment, registerReceipt } from './register-directly';
import type { RemoteEffectHandler } from './remote-effect';
import { updateCostCenter } from './update-cost-center';
import { writeOff } from './write-off';

/** How each effect becomes calls to a remote finance service. */
export const REMOTE_HANDLERS: { readonly [O in BooksOperation]: RemoteEffectHandler<EffectInputs[O]> } = {
  'customer.ensure': ensureCustomer,
  'credit-schedule.create': createCreditSchedule,
  'receipt.allocate': allocateReceipt,
  'payment.register': registerPayment,
  'receipt.register': registerReceipt,
  'transfer.make': makeTransfer,
  'credit-schedule.write-off': writeOff,
  'account.ensure': ensureAccount,
  'supplier.find': findSupplier,
  'cost-center.update': updateCostCenter,
  'payment.delete': deletePayment,
  'attention.raise': raiseAttention,
};
