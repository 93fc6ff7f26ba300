import type { Unbooked } from '../../events/unbooked';
import { parseAnswer } from '../fetched';
import { customerEvent, orderEvents, type ReadOrder } from '../mapping/order-events';
import { customerRequest, shopRequest } from '../mapping/privacy';
import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { customerOfAccount } from './customer';
import { readNotification } from './notification';
import { readOrder } from './order';
import { transactionsIn } from './transactions';

/**
 * A notification says only that something happened to an order or a customer: what is booked is their state as fetched.
 * @throws UnreadablePayload
 */
export function normaliseNuvemshop(webhook: StoredWebhook, context: SourceContext): Normalised {
  const { about, ignored, topic } = readNotification(webhook, context.settings);
  if (ignored !== undefined) return { ignored };
  if (about === undefined) return personalData(topic, Payload.parse(webhook.rawBody), context);
  const [main, others] = webhook.fetched ?? [];
  const payload = parseAnswer(main, `the ${about.subject} was not fetched`);
  if (payload === undefined) return { ignored: `the ${about.subject} is not there any more` };
  if ((payload.identifier('id') ?? payload.missing('id')) !== about.id)
    payload.fail('id', `is not that of the ${about.subject} that was asked for`);
  if (about.subject === 'customer') return customer(payload, webhook, context);
  const read = readOrder(payload, transactionsIn(others), webhook, context);
  const state = { created: topic === 'order/created', awaited: read.awaited };
  const events = orderEvents(read.facts, state, payload);
  return events.length > 0 ? { events } : nothingToBook(read);
}

/** What the law on personal data makes Nuvemshop ask. */
function personalData(topic: string, body: Payload, context: SourceContext): Normalised {
  if (topic === 'store/redact') return shopRequest(context);
  return topic === 'customers/redact'
    ? customerRequest('privacy.erase', body, 'orders_to_redact', context)
    : customerRequest('privacy.export', body, 'orders_requested', context);
}

function customer(account: Payload, webhook: StoredWebhook, context: SourceContext): Normalised {
  const facts = customerOfAccount(account, context);
  const occurredAt =
    account.instant('updated_at', context.timeZone) ??
    account.instant('created_at', context.timeZone) ??
    webhook.receivedAt;
  return { events: [customerEvent(facts, occurredAt, account)] };
}

/** An order of which nothing comes; a person is asked where it says something of money all the same. */
function nothingToBook({ facts: { key, total, differences }, status }: ReadOrder): Normalised {
  const unbooked = differences.map((detail): Unbooked => ({
    businessKey: key,
    code: 'order-differs',
    detail,
    value: total,
  }));
  return {
    ignored: `the order is ${status}: neither paid, cancelled nor refunded, and no boleto or Pix is waited for`,
    key,
    ...(unbooked.length > 0 && { unbooked }),
  };
}
