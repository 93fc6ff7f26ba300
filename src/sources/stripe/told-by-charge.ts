import { orderKey } from '../mapping/keys';
import { askPerson } from '../mapping/normalised';
import type { Normalised, SourceContext } from '../source';
import { amountOf, currencyOf } from './amounts';
import { orderIdOf } from './order-id';
import type { StripeEvent } from './stripe-event';

/** A payment intent that succeeded: its charge says the same, and who paid and how. */
export function readPaymentIntent(): Normalised {
  return { ignored: 'the payment is booked by charge.succeeded, which has the method and the buyer' };
}

/** A checkout that was completed: what it took is a charge. */
export function readCheckout({ object: session }: StripeEvent): Normalised {
  const status = session.word('payment_status') ?? 'unknown';
  if (status === 'no_payment_required') return { ignored: 'the checkout cost nothing' };
  return {
    ignored:
      status === 'paid'
        ? 'the payment of the checkout is booked by charge.succeeded'
        : `the payment of the checkout is ${status}: charge.succeeded brings it`,
  };
}

/**
 * A paid invoice: what it took is a charge, unless it was paid outside of Stripe, which no other event says.
 * @throws UnreadablePayload
 */
export function readInvoice({ object: invoice, test }: StripeEvent, context: SourceContext): Normalised {
  const currency = currencyOf(invoice);
  const outside = amountOf(invoice, 'amount_paid_off_stripe', currency);
  const paid = amountOf(invoice, 'amount_paid', currency);
  const value = outside?.isPositive || !invoice.flag('paid_out_of_band') ? outside : paid;
  if (!value?.isPositive) return { ignored: 'the payment of the invoice is booked by charge.succeeded' };
  const id = invoice.identifier('id') ?? invoice.missing('id');
  const detail = `${value.toString()} ${currency} of invoice ${id} were paid outside of Stripe, so that no charge brings them. Book them by hand`;
  return askPerson(orderKey(context.source, orderIdOf(invoice).id), detail, value, { test });
}
