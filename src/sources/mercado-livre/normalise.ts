import type { CanonicalEvent } from '../../events/event';
import { Money } from '../../kernel/money';
import { answerTo } from '../fetched';
import { peekJson } from '../identity';
import { disputeKey } from '../mapping/keys';
import { askPerson } from '../mapping/normalised';
import { disputeEvent, orderEvents } from '../mapping/order-events';
import { UnreadablePayload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { claimIn, claimName, isSoldBySource, ORDER, orderIdOf, orderIn, paymentName } from './answers';
import { type About, readNotification } from './notification';
import { type MercadoLivreOrder, readOrder } from './order';
import { saysPaid } from './status';

/** The state of a claim that is decided; any other is taken for open. */
const CLOSED = 'closed';
/** What a notification of an order that was just made has among its `actions`. */
const NEW_ORDER = 'action:new_order';

/**
 * A notification names an order, a payment or a claim, and no more: what is booked is the order as it was fetched.
 * @throws UnreadablePayload
 */
export function normaliseMercadoLivre(webhook: StoredWebhook, context: SourceContext): Normalised {
  const { about, topic, ignored } = readNotification(webhook, context.settings);
  if (about === undefined) return { ignored: ignored ?? `topic ${topic} is none that Ponte reads` };
  if (answerTo(webhook, firstName(about)) === undefined)
    throw new UnreadablePayload(`the ${about.kind} was not fetched from Mercado Livre`);
  const id = orderIdOf(about, webhook);
  if (id === undefined) return ofNoOrder(about, webhook, context);
  if (answerTo(webhook, ORDER) === undefined)
    throw new UnreadablePayload('the order was not fetched from Mercado Livre');
  const order = orderIn(webhook, id);
  if (order === undefined) return { ignored: 'the order is not there any more' };
  if (!isSoldBySource(order, context.settings))
    return { ignored: 'the order was sold by another seller than that of the source' };
  const read = readOrder(order, id, webhook, context);
  const facts = { ...read.facts, differences: [...read.facts.differences, ...openClaim(about, webhook)] };
  const state = {
    ...{ created: about.kind === 'order' && isNew(webhook), awaited: read.awaited },
    datedBy: read.isReplanned ? { 'order.paid': 'money_release_date' } : {},
  };
  const events: CanonicalEvent[] = orderEvents(facts, state, order);
  events.push(...read.disputes.map((dispute) => disputeEvent(dispute, order, 'date_last_modified')));
  return events.length > 0 ? { events } : nothingIn({ ...read, facts });
}

function firstName({ kind, id }: About): string {
  if (kind === 'order') return ORDER;
  return kind === 'payment' ? paymentName(id) : claimName(id);
}

function isNew({ rawBody }: StoredWebhook): boolean {
  const { actions } = peekJson(rawBody);
  return Array.isArray(actions) && actions.includes(NEW_ORDER);
}

/** A payment of something else than an order is none of a sale; a claim is left to a person unless it is closed. */
function ofNoOrder(
  { kind, id }: About,
  webhook: StoredWebhook,
  { source, currency }: SourceContext,
): Normalised {
  if (kind === 'payment')
    return { ignored: `payment ${id} is of no order of Mercado Livre, or may not be seen` };
  if (claimIn(webhook, id)?.word('status') === CLOSED)
    return { ignored: `claim ${id} is about no order, and is closed` };
  const detail = `The buyer's claim ${id} at Mercado Livre names no order that Ponte may see: a person has to check whether money goes back.`;
  return askPerson(disputeKey(source, id), detail, Money.zero(currency));
}

/** A sentence about a claim that is not decided yet: what it takes back is told by the payment. */
function openClaim({ kind, id }: About, webhook: StoredWebhook): string[] {
  if (kind !== 'claim' || claimIn(webhook, id)?.word('status') === CLOSED) return [];
  return [`The buyer opened claim ${id} at Mercado Livre, by which money may go back.`];
}

/** An order that is paid, and does not say how, asks for a person; of any other nothing comes that is money. */
function nothingIn({ facts: { key, total, differences, test }, status }: MercadoLivreOrder): Normalised {
  const detail = differences.at(-1);
  if (!saysPaid(status) || detail === undefined || test)
    return { ignored: `the order is ${status}: nothing was paid, and no boleto or Pix is waited for` };
  return askPerson(key, detail, total);
}
