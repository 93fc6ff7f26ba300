import type { CanonicalEvent } from '../../events/event';
import { isGone } from '../fetched';
import { askPerson, eventsOr } from '../mapping/normalised';
import { disputeEvent, orderEvents } from '../mapping/order-events';
import { UnreadablePayload } from '../payload';
import { isWithoutSales } from '../settings';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { isRelevant, readAnswers } from './fetch-back';
import { readHook } from './hook';
import { movementNamed } from './movement';
import { type PagarmeOrder, readOrder } from './order';
import { disputeOf } from './payment';
import { normaliseMovement } from './statement';

/**
 * A webhook has the whole order or charge, which nobody signs: what is booked is the order as Pagar.me answers it.
 * @throws UnreadablePayload
 */
export function normalisePagarme(webhook: StoredWebhook, context: SourceContext): Normalised {
  const withoutSales = isWithoutSales(context.settings);
  const movement = withoutSales ? movementNamed(webhook) : undefined;
  if (movement !== undefined) return normaliseMovement(movement, webhook, context);
  const named = readHook(webhook);
  if (named === undefined) return { ignored: `topic ${webhook.topic} is none that Ponte reads` };
  const { kind, id } = named;
  if (!isRelevant(webhook, context.settings)) return { ignored: LEFT_TO_SHOP };
  const [first] = webhook.fetched ?? [];
  if (first === undefined) throw new UnreadablePayload(`the ${kind} was not fetched from Pagar.me`);
  if (isGone(first)) return { ignored: `the ${kind} ${id} is not there any more` };
  const answers = readAnswers(named, first, webhook);
  if (answers.next !== undefined)
    throw new UnreadablePayload(`${answers.next.path} was not fetched from Pagar.me`);
  const order = readOrder(answers, webhook, context);
  const { facts, charges, awaited } = order;
  const orderKey = withoutSales ? undefined : facts.key;
  const disputes = charges
    .flatMap((charge) => disputeOf(charge, orderKey, webhook, context) ?? [])
    .map((dispute) => disputeEvent(dispute, answers.main, 'updated_at'));
  if (withoutSales)
    return eventsOr(disputes, 'no charge of the order is chargedback, and the shop reports the rest');
  const unknown = charges.find((charge) => charge.unknown);
  if (unknown) return moneyUnknown(order, unknown.status);
  const events: CanonicalEvent[] = [
    ...orderEvents(facts, { created: false, awaited }, answers.main),
    ...disputes,
  ];
  const statuses = [...new Set(charges.map(({ status }) => status))].join(' and ') || 'without a charge';
  return eventsOr(events, `the order is ${statuses}: nothing was paid, and no boleto or Pix is waited for`);
}

/** Why a webhook of a source without sales means nothing. */
const LEFT_TO_SHOP = 'the source is without sales: the shop reports the sale and its refunds';

/** An order with money in a state that nobody knows asks for a person itself. */
function moneyUnknown({ facts: { key, total } }: PagarmeOrder, status: string): Normalised {
  const detail = `a charge is ${status} and may have money in it, which Ponte does not know how to book: see it at Pagar.me and book it by hand`;
  return askPerson(key, detail, total);
}
