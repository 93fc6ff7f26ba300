import { eventsOr } from '../mapping/normalised';
import { salesOrderEvents } from '../mapping/sales-order';
import { RECEIVED } from '../mapping/order-events';
import type { Payload } from '../payload';
import type { Normalised, SourceContext, Settings, StoredWebhook } from '../source';
import { fetchedOrder } from './fetch-back';
import { readMessage } from './message';
import { contentsOf, instalmentsOf } from './order';
import { isCancelled, isDraft, leftOutChannelsOf, paidSituationsOf, plain } from './settings';

/**
 * Nothing signs what Tiny sends, and it has no amounts: what is booked is the order as fetched.
 * @throws UnreadablePayload
 */
export function normaliseTiny(webhook: StoredWebhook, context: SourceContext): Normalised {
  const message = readMessage(webhook, context.settings);
  const { type, orderId, created } = message;
  if (orderId === undefined) return { ignored: `a notification of ${type} is none that Ponte reads` };
  const fetched = fetchedOrder(webhook, message);
  if (fetched === undefined) return { ignored: 'the order is not there any more' };
  const { answer, order } = fetched;
  const situation = order.text('situacao') ?? order.missing('situacao');
  const ignored = leftOutBecause(order, situation, context.settings);
  if (ignored !== undefined) return { ignored };
  const paid = paidSituationsOf(context.settings);
  const contents = contentsOf(order, orderId, context);
  const state = {
    ...{ created, isCancelled: isCancelled(situation), isPaid: paid.includes(plain(situation)) },
    ...{ tellsPaid: paid.length > 0, at: webhook.receivedAt, datedBy: RECEIVED },
    instalments: instalmentsOf(order, contents.total, context.timeZone),
  };
  return eventsOr(salesOrderEvents(contents, state, answer), 'there is nothing in the order to be paid');
}

/** Why an order is not booked, whatever else it says; undefined: it is. */
function leftOutBecause(order: Payload, situation: string, settings: Settings): string | undefined {
  if (isDraft(situation)) return 'the order is not complete yet (Dados incompletos)';
  const shop = order.loosely('ecommerce');
  const leftOut = leftOutChannelsOf(settings);
  const names = [shop.textIfAny('id'), shop.textIfAny('nomeEcommerce')];
  return names.some((name) => name !== undefined && leftOut.includes(name.toLowerCase()))
    ? 'the order is of an e-commerce that is left out (leftOutChannels)'
    : undefined;
}
