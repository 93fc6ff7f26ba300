import type { CanonicalEvent } from '../../events/event';
import { askPerson, eventsOr } from '../mapping/normalised';
import { disputeEvent, orderEvents, RECEIVED } from '../mapping/order-events';
import { unbookedCommission } from '../mapping/shares';
import { UnreadablePayload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { commissionAs } from './commissions';
import { COMMISSIONS, fetchedPart, fetchedSale, USERS } from './fetches';
import { isAboutSale, readMessage } from './message';
import { awaitedOf, disputeOf, isTest, orderOf } from './order';
import { PAID, type Sale, type State } from './sale';

/** The event of a sale that was made and is to be paid. */
const MADE = 'PURCHASE_BILLET_PRINTED';
const OVER: readonly State[] = [...PAID, 'expired', 'cancelled', 'unpaid', 'unknown'];
/** The states that an event agrees with, where not all do: in another one the history is behind the event. */
const AGREEING: ReadonlyMap<string, readonly State[]> = new Map([
  ['PURCHASE_APPROVED', PAID],
  ['PURCHASE_COMPLETE', PAID],
  ['PURCHASE_REFUNDED', ['refunded', 'chargeback']],
  ['PURCHASE_CHARGEBACK', ['chargeback', 'refunded']],
  ['PURCHASE_EXPIRED', OVER],
  ['PURCHASE_CANCELED', OVER],
]);
/** Events that move no money, with the reason. */
const MEANINGLESS: ReadonlyMap<string, string> = new Map([
  [
    'SUBSCRIPTION_CANCELLATION',
    'a subscription was cancelled: what was paid stays paid, and no renewal follows',
  ],
  ['SWITCH_PLAN', 'a subscription has another plan: what it costs comes with its next sale'],
  [
    'UPDATE_SUBSCRIPTION_CHARGE_DATE',
    'a subscription has another day: its renewal comes as a sale of its own',
  ],
  ['PURCHASE_OUT_OF_SHOPPING_CART', 'a cart was left: nothing was bought'],
]);

/**
 * Nothing signs what Hotmart sends: what is booked is the sale as fetched, in its state of that moment.
 * @throws UnreadablePayload
 */
export function normaliseHotmart(webhook: StoredWebhook, context: SourceContext): Normalised {
  const message = readMessage(webhook);
  const { event } = message;
  const meaningless = MEANINGLESS.get(event);
  if (meaningless !== undefined) return { ignored: meaningless };
  if (!isAboutSale(event)) return { ignored: `event ${event} is none that Ponte reads` };
  if (message.isTest) return { ignored: 'Hotmart tried the address: the message is about no sale' };
  const sale = fetchedSale(webhook, message, context);
  refuseBehind(sale, event);
  if (!sale.charged.isPositive) return { ignored: 'the sale is free: no money moves' };
  if (sale.isDoubtful) return bookByHand(sale, context);
  if (!sale.isOwn) return saleOfOthers(sale, webhook, context);
  return eventsOr(
    eventsOf(sale, event, webhook, context),
    `the sale is ${sale.status}: nothing was paid, and no boleto or Pix is waited for`,
  );
}

/**
 * What happened is booked by the history alone. One that does not show yet what the event says is asked again, for no other
 * message may follow.
 * @throws UnreadablePayload
 */
function refuseBehind({ state, status }: Sale, event: string): void {
  const agreeing = AGREEING.get(event);
  if (agreeing === undefined || agreeing.includes(state) || status === 'PARTIALLY_REFUNDED') return;
  throw new UnreadablePayload(`the event is ${event}, but Hotmart’s history says ${status}`);
}

function eventsOf(
  sale: Sale,
  event: string,
  webhook: StoredWebhook,
  context: SourceContext,
): CanonicalEvent[] {
  const parts = {
    users: fetchedPart(webhook, USERS, sale),
    commissions: fetchedPart(webhook, COMMISSIONS, sale),
  };
  const facts = orderOf(sale, parts, webhook, context);
  const state = {
    ...{ created: event === MADE, awaited: awaitedOf(sale, webhook) },
    datedBy: { 'order.expired': RECEIVED, 'order.refunded': RECEIVED, 'order.cancelled': RECEIVED },
  };
  const dispute = sale.state === 'chargeback' ? disputeOf(sale, webhook, context) : undefined;
  return [
    ...orderEvents(facts, state, sale.answer),
    ...(dispute ? [disputeEvent(dispute, sale.answer, RECEIVED)] : []),
  ];
}

/** A sale that this shop brought or helped with: it belongs to the producer's books, and its commission is entered by hand. */
function saleOfOthers(sale: Sale, webhook: StoredWebhook, context: SourceContext): Normalised {
  const { orderKey, role, state, isPaid } = sale;
  const ignored = `the sale is somebody else's, and this shop its ${role}: only a commission is earned`;
  const value = isPaid ? commissionAs(sale, fetchedPart(webhook, COMMISSIONS, sale)) : undefined;
  if (!value?.isPositive || isTest(context)) return { ignored };
  return { ignored, unbooked: [unbookedCommission(orderKey, role, value, state !== 'paid')] };
}

function bookByHand({ transaction, orderKey, charged, status }: Sale, context: SourceContext): Normalised {
  const detail = `sale ${transaction} of ${charged.toString()} ${charged.currency} is ${status} and has a day of approval: see it at Hotmart, and book by hand what was paid`;
  return askPerson(orderKey, detail, charged, { test: isTest(context) });
}
