import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { readCharge } from './charge';
import { readDispute } from './dispute';
import { hasSales } from './hooks';
import { readPayout } from './payout';
import { readRefund } from './refund';
import { readStripeEvent, type StripeEvent } from './stripe-event';
import { readCheckout, readInvoice, readPaymentIntent } from './told-by-charge';

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
          ignored: 'the setting endpointEvents is without-sales: the shop tells of the sale and its refunds',
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
