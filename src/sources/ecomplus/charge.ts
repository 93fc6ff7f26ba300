import { definedOnly } from '../mapping/defined';
import type { AwaitedCharge } from '../mapping/order-events';
import { keyOf } from './payments';
import type { Transaction } from './transaction';

/** Ways to pay that the buyer pays after ordering. */
const PAID_LATER = ['boleto', 'pix', 'account_deposit'];

/** The boleto, Pix or deposit that an order of which nothing is paid waits for, or waited for in vain. */
export function awaitedCharge(
  transactions: readonly Transaction[],
  orderKey: string,
  createdAt: Date,
  changedAt: Date,
  zone: string,
): AwaitedCharge | undefined {
  const later = transactions.filter(({ method }) => PAID_LATER.includes(method));
  const open = later.findLast(({ isFailed }) => !isFailed);
  const transaction = open ?? later.at(-1);
  if (transaction === undefined || !transaction.amount.isPositive) return undefined;
  const { place, method, gateway, charged: value } = transaction;
  const boleto = place.loosely('banking_billet');
  const expired = open === undefined;
  return {
    charge: {
      ...{ key: keyOf(transaction, orderKey), gateway, method, value },
      ...definedOnly({
        dueDate: boleto.day('valid_thru', zone),
        expiresAt: place.loosely('account_deposit').instant('valid_thru', zone),
        line: boleto.textIfAny('code') ?? transaction.pixText,
      }),
    },
    at: expired ? (transaction.changedAt(zone) ?? changedAt) : createdAt,
    expired,
  };
}
