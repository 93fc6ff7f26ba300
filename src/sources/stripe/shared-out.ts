import type { Money } from '../../kernel/money';
import type { Payload } from '../payload';
import { amountOf } from './amounts';

/**
 * A sentence about what of a charge goes to another account of Stripe: that of a platform that sold for the shop, or, where the
 * shop is the platform, that of who sells there. The fee of a platform is in Stripe's own, where the charge has that.
 * @throws UnreadablePayload
 */
export function sharedOut(charge: Payload, captured: Money): string[] {
  const { currency } = captured;
  const fee = amountOf(charge, 'application_fee_amount', currency);
  const transfer = charge.loosely('transfer_data');
  if (transfer.has('destination')) {
    const rest = fee && captured.compare(fee) > 0 ? captured.minus(fee) : captured;
    const going = amountOf(transfer, 'amount', currency) ?? rest;
    return [
      `${going.withCurrency()} of it go to another account of Stripe (transfer_data): book that by hand.`,
    ];
  }
  return fee?.isPositive && !charge.loosely('balance_transaction').has('fee')
    ? [`A platform keeps ${fee.withCurrency()} of it as its application fee: book that by hand.`]
    : [];
}
