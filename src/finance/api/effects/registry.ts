import { accountEnsure } from './account-ensure';
import { attentionRaise } from './attention-raise';
import { costCenterUpdate } from './cost-center-update';
import { creditScheduleCreate } from './credit-schedule-create';
import { creditScheduleFind } from './credit-schedule-find';
import { customerEnsure } from './customer-ensure';
import type { EffectDeclaration, FindingDeclaration } from './declaration';
import { paymentRegister, receiptRegister } from './direct-registration';
import { emailSend } from './email-send';
import { httpNotify } from './http-notify';
import { paymentDelete } from './payment-delete';
import { receiptAllocate } from './receipt-allocate';
import { supplierFind } from './supplier-find';
import { transferMake } from './transfer-make';
import { writeOff } from './write-off';

/**
 * Operations of the finance system, as rules ask for them. A new one is a file beside these with a line here,
 * and a handler for each backend with a line in its `handlers.ts`.
 */
export const EFFECTS = {
  'customer.ensure': customerEnsure,
  'credit-schedule.create': creditScheduleCreate,
  'credit-schedule.find': creditScheduleFind,
  'receipt.allocate': receiptAllocate,
  'payment.register': paymentRegister,
  'receipt.register': receiptRegister,
  'transfer.make': transferMake,
  'credit-schedule.write-off': writeOff,
  'account.ensure': accountEnsure,
  'supplier.find': supplierFind,
  'cost-center.update': costCenterUpdate,
  'payment.delete': paymentDelete,
  'attention.raise': attentionRaise,
  'http.notify': httpNotify,
  'email.send': emailSend,
} as const;

export type EffectOperation = keyof typeof EFFECTS;

/** Operations that change nothing: no backend has a handler for them. */
type FindingOperation = {
  [O in EffectOperation]: (typeof EFFECTS)[O] extends FindingDeclaration<never> ? O : never;
}[EffectOperation];

/** Operations whose effects leave the process: no backend applies them, and none is applied within a transaction. */
const OUTSIDE = ['http.notify', 'email.send'] as const satisfies readonly EffectOperation[];

export type OutsideOperation = (typeof OUTSIDE)[number];

/** Operations that the backend which keeps the books applies: each backend has a handler for each. */
export type BooksOperation = Exclude<EffectOperation, FindingOperation | OutsideOperation>;

export const OUTSIDE_OPERATIONS: readonly OutsideOperation[] = OUTSIDE;

export function isOutside(operation: EffectOperation): operation is OutsideOperation {
  return OUTSIDE_OPERATIONS.some((outside) => outside === operation);
}

/** What an effect finds, as people call it; undefined: it changes something. */
export function foundBy(operation: EffectOperation): string | undefined {
  const declaration: EffectDeclaration<never> | FindingDeclaration<never> = EFFECTS[operation];
  return 'finds' in declaration ? declaration.finds : undefined;
}

type InputOf<D> = D extends EffectDeclaration<infer Input> ? Input : never;

/** What each operation is asked with. */
export type EffectInputs = { [O in EffectOperation]: InputOf<(typeof EFFECTS)[O]> };
