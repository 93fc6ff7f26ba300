import { eventsOr } from '../mapping/normalised';
import { customerEvent, orderEvents } from '../mapping/order-events';
import type { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { customerOfAccount } from './customer';
import { type Answers, readAnswers } from './fetch';
import { type Notification, readNotification } from './notification';
import { readOrder } from './order';

/**
 * An event says that an order, an invoice, a credit memo or a customer was saved; what they are now was fetched.
 * @throws UnreadablePayload
 */
export function normaliseMagento(webhook: StoredWebhook, context: SourceContext): Normalised {
  const notification = readNotification(webhook.rawBody);
  if (typeof notification === 'string') return { ignored: notification };
  const { entity, id, number } = notification;
  const answers = readAnswers(webhook, notification);
  const { main } = answers;
  if (!main) return { ignored: `the ${entity} ${id ?? number} is not there any more` };
  return entity === 'customer'
    ? customer(main, webhook, context)
    : order(main, answers, notification, webhook, context);
}

function order(
  main: Payload,
  answers: Answers,
  { created }: Notification,
  webhook: StoredWebhook,
  context: SourceContext,
): Normalised {
  const { facts, status, awaited } = readOrder(main, answers, webhook, context);
  return eventsOr(
    orderEvents(facts, { created, awaited }, main),
    `the order is ${status}, and no invoice of it is paid: neither paid, cancelled nor refunded`,
    facts.key,
  );
}

function customer(account: Payload, webhook: StoredWebhook, context: SourceContext): Normalised {
  const id = account.identifier('id') ?? account.missing('id');
  const facts = customerOfAccount(account, id, context);
  const occurredAt =
    account.instant('updated_at', 'UTC') ?? account.instant('created_at', 'UTC') ?? webhook.receivedAt;
  return { events: [customerEvent(facts, occurredAt, account)] };
}
