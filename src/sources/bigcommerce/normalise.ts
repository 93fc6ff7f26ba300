import { orderKey } from '../mapping/keys';
import { askPerson, eventsOr } from '../mapping/normalised';
import { customerEvent, orderEvents } from '../mapping/order-events';
import type { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { customerOfAccount } from './customer';
import { instantOf } from './dates';
import { type Answers, readAnswers } from './fetch';
import { type Notification, readNotification } from './notification';
import { type BigCommerceOrder, readOrder } from './order';
import { statusOf } from './status';

/**
 * A notification says that an order or a customer changed; what it is now was fetched.
 * @throws UnreadablePayload
 */
export function normaliseBigCommerce(webhook: StoredWebhook, context: SourceContext): Normalised {
  const notification = readNotification(webhook.rawBody, context.settings);
  if (typeof notification === 'string') return { ignored: notification };
  const { entity, id } = notification;
  const answers = readAnswers(webhook, entity, context.settings);
  const { main } = answers;
  if (!main) return { ignored: `the ${entity} ${id} is not there any more` };
  return entity === 'customer'
    ? customer(main, id, webhook, context)
    : order(main, answers, notification, webhook, context);
}

function order(
  main: Payload,
  answers: Answers,
  { id, created }: Notification,
  webhook: StoredWebhook,
  context: SourceContext,
): Normalised {
  if (main.identifier('id') !== id) main.fail('id', 'is not that of the order that was asked for');
  const { name, isUnfinished } = statusOf(main, context.settings);
  const key = orderKey(context.source, id);
  if (isUnfinished) return { ignored: `the order is ${name}: its checkout is not finished`, key };
  const read = readOrder(main, answers, id, webhook, context);
  if (read.isUnclear) return moneyUnclear(read);
  const events = orderEvents(read.facts, { created, awaited: read.awaited }, main);
  const ignored = `the order is ${name}, and no money is said to have come: neither paid, cancelled nor refunded`;
  return eventsOr(events, ignored, key);
}

/** An order with money in it of which nothing says how much asks for a person itself. */
function moneyUnclear({ facts: { key, total, test }, status: { name } }: BigCommerceOrder): Normalised {
  const detail = `the order is ${name}, and neither a transaction nor a refund says how much money came or went back: book it by hand`;
  return { ...askPerson(key, detail, total, { test }), key };
}

function customer(main: Payload, id: string, webhook: StoredWebhook, context: SourceContext): Normalised {
  if (!main.has('data')) main.missing('data');
  const [account] = main.items('data');
  if (!account) return { ignored: `the customer ${id} is not there any more` };
  if (account.identifier('id') !== id) account.fail('id', 'is not that of the customer that was asked for');
  const facts = customerOfAccount(account, id, context);
  const occurredAt =
    instantOf(account, 'date_modified', context.timeZone) ??
    instantOf(account, 'date_created', context.timeZone) ??
    webhook.receivedAt;
  return { events: [customerEvent(facts, occurredAt, main)] };
}
