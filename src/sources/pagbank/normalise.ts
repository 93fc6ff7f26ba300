import { MOST_PAYMENTS } from '../../events/limits';
import { disputeKey } from '../mapping/keys';
import { amountOfUnits } from '../mapping/minor-units';
import { askPerson, eventsOr } from '../mapping/normalised';
import { orderEvents, RECEIVED } from '../mapping/order-events';
import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { currencyOf, isUnknown } from './charge';
import { type PagBankOrder, readOrder } from './order';

/** PagBank does not say when these happened. */
const BY_RECEIPT = { 'order.expired': RECEIVED, 'order.refunded': RECEIVED };

/**
 * A notification has the whole order, or a charge that was made without one, in its state of that moment.
 * @throws UnreadablePayload
 */
export function normalisePagBank(webhook: StoredWebhook, context: SourceContext): Normalised {
  const payload = Payload.parse(webhook.rawBody);
  const id = payload.identifier('id') ?? payload.missing('id');
  switch (kindOf(id, payload.has('charges') || payload.has('qr_codes'))) {
    case 'order':
      return order(payload, payload.items('charges', MOST_PAYMENTS), webhook, context);
    case 'charge':
      return order(payload, [payload], webhook, context);
    case 'chargeback':
      return chargeback(payload, id, context);
    case 'other':
      return {
        ignored: `a notification of ${webhook.topic} is about neither an order, a charge nor a chargeback`,
      };
  }
}

function order(
  payload: Payload,
  places: readonly Payload[],
  webhook: StoredWebhook,
  context: SourceContext,
): Normalised {
  const read = readOrder(payload, places, webhook, context);
  const unknown = read.charges.filter(isUnknown);
  if (unknown.length > 0) return moneyUnknown(read, unknown[0]?.status ?? '');
  const state = { created: false, awaited: read.awaited, datedBy: BY_RECEIPT };
  const events = orderEvents(read.facts, state, payload);
  const statuses = [...new Set(read.charges.map(({ status }) => status))].join(' and ') || 'without a charge';
  return eventsOr(events, `the order is ${statuses}: nothing was paid, and no boleto or Pix is waited for`);
}

/** An order with money in a state that nobody knows asks for a person itself. */
function moneyUnknown({ facts: { key, total, test } }: PagBankOrder, status: string): Normalised {
  const detail = `a charge is ${status} and has money in it, which Ponte does not know how to book: book it by hand`;
  return askPerson(key, detail, total, { test });
}

/**
 * A chargeback's notification: what its states mean for the money is not documented, so nothing is booked from it.
 * @throws UnreadablePayload where it does not even say how much it is about: a person must see it all the same
 */
function chargeback(payload: Payload, id: string, context: SourceContext): Normalised {
  const amount = payload.loosely('amount');
  const value = amountOfUnits(amount, 'value', currencyOf(amount));
  if (!value?.isPositive)
    return amount.fail('value', 'is missing: see the chargeback at PagBank and book it by hand');
  const detail = `chargeback ${id} of ${value.toString()} ${value.currency} is ${payload.word('status') ?? 'open'}: see it at PagBank and book it by hand`;
  return askPerson(disputeKey(context.source, id), detail, value, { code: 'dispute-not-booked' });
}

/** What a notification is about. */
type Kind = 'order' | 'charge' | 'chargeback' | 'other';

/** @param hasCharges whether the body has the members of an order */
export function kindOf(id: string, hasCharges: boolean): Kind {
  if (id.startsWith('CBKS_')) return 'chargeback';
  if (id.startsWith('CHEC_')) return 'other';
  if (id.startsWith('ORDE_') || hasCharges) return 'order';
  return id.startsWith('CHAR_') ? 'charge' : 'other';
}
