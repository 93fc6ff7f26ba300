import type { CanonicalEvent } from '../../events/event';
import { orderKey } from '../mapping/keys';
import { eventsOr } from '../mapping/normalised';
import { disputeEvent, orderEvents } from '../mapping/order-events';
import { unbookedCommission } from '../mapping/shares';
import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { amountOfUnits } from '../mapping/minor-units';
import { messageIn } from './message';
import { readOrder } from './order';

/** Events of a sale that say that it was paid. */
const SAYS_PAID = ['order_approved', 'subscription_renewed'];
/** Events of a sale that say that it was made. */
const SAYS_CREATED = ['billet_created', 'pix_created'];
const READ = [...SAYS_PAID, ...SAYS_CREATED, 'order_refunded', 'chargeback'];
/** Events that move no money, with the reason. */
const MEANINGLESS: ReadonlyMap<string, string> = new Map([
  ['order_rejected', 'a payment was refused: no money came'],
  ['subscription_canceled', 'a subscription was cancelled: what was paid stays paid, and no renewal follows'],
  ['subscription_late', 'a subscription is late: its renewal comes as an order of its own when it is paid'],
]);
const PRODUCER = 'producer';

/** @throws UnreadablePayload */
export function normaliseKiwify(webhook: StoredWebhook, context: SourceContext): Normalised {
  const order = Payload.parse(messageIn(webhook.rawBody).content);
  if (!order.has('webhook_event_type') && order.text('status') === 'abandoned')
    return { ignored: 'a cart was abandoned: nothing was bought' };
  const event = order.word('webhook_event_type') ?? order.missing('webhook_event_type');
  const meaningless = MEANINGLESS.get(event);
  if (meaningless !== undefined) return { ignored: meaningless };
  if (!READ.includes(event)) return { ignored: `event ${event} is none that Ponte reads` };
  const role = order.word('sale_type') ?? PRODUCER;
  if (role !== PRODUCER) return saleOfOthers(order, event, role, context);
  const { facts, status, awaited, dispute, backDatedBy } = readOrder(
    order,
    event,
    webhook.receivedAt,
    context,
  );
  const events: CanonicalEvent[] = orderEvents(
    facts,
    { created: SAYS_CREATED.includes(event), awaited, datedBy: { 'order.refunded': backDatedBy } },
    order,
  );
  if (dispute) events.push(disputeEvent(dispute, order, backDatedBy));
  return eventsOr(events, `the order is ${status}: neither paid nor waiting`);
}

/** A sale that this shop brought or helped with: it belongs to the producer's books, and its commission is entered by hand. */
function saleOfOthers(order: Payload, event: string, role: string, context: SourceContext): Normalised {
  const ignored = `the sale is somebody else's, and this shop its ${role}: only a commission is earned`;
  const place = order.at('Commissions');
  const currency = place.currency('currency') ?? context.currency;
  const value = amountOfUnits(place, 'my_commission', currency);
  if (!value?.isPositive || SAYS_CREATED.includes(event)) return { ignored };
  const id = order.identifier('order_id') ?? order.missing('order_id');
  const key = orderKey(context.source, id);
  return { ignored, unbooked: [unbookedCommission(key, role, value, !SAYS_PAID.includes(event))] };
}
