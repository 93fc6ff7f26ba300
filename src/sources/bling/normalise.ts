import { Money } from '../../kernel/money';
import { orderKey } from '../mapping/keys';
import { askPerson, eventsOr } from '../mapping/normalised';
import { salesOrderEvents } from '../mapping/sales-order';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import {
  fetchedContact,
  fetchedOrder,
  isOfAnother,
  leftOutBecause,
  type Message,
  ORDER_CREATED,
  ORDER_DELETED,
  readMessage,
  situationOf,
} from './message';
import { contentsOf, CURRENCY, instalmentsOf } from './order';
import { meaningsOf } from './settings';

/**
 * A notification names an order, and what it means is in the order that was fetched. That an order is removed is said by
 * the notification alone.
 * @throws UnreadablePayload
 */
export function normaliseBling(webhook: StoredWebhook, context: SourceContext): Normalised {
  const message = readMessage(webhook);
  const { event, orderId } = message;
  if (orderId === undefined) return { ignored: `event ${event} is none that Ponte reads` };
  if (isOfAnother(message, context.settings))
    return { ignored: 'it is about another company than the one of this source (storeId)' };
  if (event === ORDER_DELETED) return removed(orderId, context);
  const fetched = fetchedOrder(webhook, message);
  if (fetched === undefined) return { ignored: 'the order is not there any more' };
  const { answer, order } = fetched;
  const ignored = leftOutBecause(order, context.settings);
  if (ignored !== undefined) return { ignored };
  const situation = situationOf(order);
  const { paid, cancelled } = meaningsOf(context.settings);
  const contents = contentsOf(order, fetchedContact(webhook, order), orderId, context);
  const state = {
    created: event === ORDER_CREATED,
    isCancelled: cancelled.includes(situation),
    isPaid: paid.includes(situation),
    tellsPaid: paid.length > 0,
    ...{ at: timeOf(message, webhook, context), datedBy: 'date' },
    instalments: instalmentsOf(order, context.timeZone),
  };
  return eventsOr(
    salesOrderEvents(contents, state, answer),
    `the order is in situation ${situation}, and there is nothing in it to be paid`,
  );
}

/** When the notification was made: Bling does not say since when an order is as it is. */
function timeOf({ body }: Message, { receivedAt }: StoredWebhook, { timeZone }: SourceContext): Date {
  return body.instant('date', timeZone) ?? receivedAt;
}

/** Nobody can fetch any more what was in it. */
function removed(orderId: string, { source }: SourceContext): Normalised {
  const detail = `order ${orderId} was removed from Bling, which does not say any more what was in it: put right by hand what was booked of it`;
  return askPerson(orderKey(source, orderId), detail, Money.zero(CURRENCY));
}
