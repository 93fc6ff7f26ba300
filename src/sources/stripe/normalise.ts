import { orderKey } from '../mapping/keys';
import { askPerson } from '../mapping/normalised';
import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { amountOf, currencyOf } from './amounts';
import { readCharge } from './charge';
import { readDispute } from './dispute';
import { hasSales } from './hooks';
import { readPayout } from './payout';
import { readRefund } from './refund';
import { orderIdOf, readStripeEvent, type StripeEvent } from './stripe-event';

interface Reading {
  /** The kind of object that such events are about. */
  kind: string;
  read: (event: StripeEvent, context: SourceContext) => Normalised;
}

const CHARGE: Reading = {
  kind: 'charge',
  read: (event, context) =>
    hasSales(context.settings)
      ? readCharge(event, context)
      : {
          ignored: 'the source is without sales: the shop reports the sale and its refunds',
        },
};
const REFUND: Reading = { kind: 'refund', read: readRefund };
const DISPUTE: Reading = { kind: 'dispute', read: readDispute };
const PAYOUT: Reading = { kind: 'payout', read: readPayout };

const READINGS: ReadonlyMap<string, Reading> = new Map([
  ['charge.succeeded', CHARGE],
  ['charge.captured', CHARGE],
  ['charge.refunded', CHARGE],
  ['charge.refund.updated', REFUND],
  ['refund.created', REFUND],
  ['refund.updated', REFUND],
  ['refund.failed', REFUND],
  ['charge.dispute.created', DISPUTE],
  ['charge.dispute.updated', DISPUTE],
  ['charge.dispute.funds_withdrawn', DISPUTE],
  ['charge.dispute.funds_reinstated', DISPUTE],
  ['charge.dispute.closed', DISPUTE],
  ['payout.paid', PAYOUT],
  ['payout.failed', PAYOUT],
  ['payment_intent.succeeded', { kind: 'payment_intent', read: readPaymentIntent }],
  ['checkout.session.completed', { kind: 'checkout.session', read: readCheckout }],
  ['invoice.paid', { kind: 'invoice', read: readInvoice }],
]);

/** @throws UnreadablePayload */
export function normaliseStripe(webhook: StoredWebhook, context: SourceContext): Normalised {
  const message = Payload.parse(webhook.rawBody);
  const type = message.word('type') ?? message.missing('type');
  const reading = READINGS.get(type);
  if (!reading) return { ignored: `type ${type} is none that Ponte reads` };
  return reading.read(readStripeEvent(message, type, reading.kind, context), context);
}

/** A payment intent that succeeded: its charge says the same, and who paid and how. */
function readPaymentIntent(): Normalised {
  return { ignored: 'the payment is booked by charge.succeeded, which has the method and the buyer' };
}

/** A checkout that was completed: what it took is a charge. */
function readCheckout({ object: session }: StripeEvent): Normalised {
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
function readInvoice({ object: invoice, test }: StripeEvent, context: SourceContext): Normalised {
  const currency = currencyOf(invoice);
  const outside = amountOf(invoice, 'amount_paid_off_stripe', currency);
  const paid = amountOf(invoice, 'amount_paid', currency);
  const value = outside?.isPositive || !invoice.flag('paid_out_of_band') ? outside : paid;
  if (!value?.isPositive) return { ignored: 'the payment of the invoice is booked by charge.succeeded' };
  const id = invoice.identifier('id') ?? invoice.missing('id');
  const detail = `${value.toString()} ${currency} of invoice ${id} were paid outside of Stripe, so that no charge brings them. Book them by hand`;
  return askPerson(orderKey(context.source, orderIdOf(invoice).id), detail, value, { test });
}
