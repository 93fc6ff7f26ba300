import type { BillFacts } from '../../events/bill';
import type { BillEvent } from '../../events/event';
import { defined } from '../mapping/defined';
import { billKey } from '../mapping/keys';
import { askPerson, eventsOr } from '../mapping/normalised';
import { customerEvent, orderEvents, RECEIVED, withRaw } from '../mapping/order-events';
import { UnreadablePayload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { billAnswered, orderAnswered, personAnswered, receivableAnswered, titleAnswered } from './answers';
import {
  codeIn,
  type Message,
  readMessage,
  reasonOf,
  saysCancelled,
  saysCreated,
  saysMoved,
  saysUndone,
} from './message';
import { customerOf, isCustomer, supplierOf } from './person';
import { awaitedOf, ownOrderKey, ownOrderOf, withPayments } from './receivable';
import { instalmentKey, instalmentsOf, isQuote } from './sales-order';
import { readTitle, type Title } from './title';

const GONE = 'is not there any more';

/**
 * Nothing signs what Omie sends: what is booked is what was fetched, in its state of that moment.
 * @throws UnreadablePayload
 */
export function normaliseOmie(webhook: StoredWebhook, context: SourceContext): Normalised {
  const message = readMessage(webhook);
  const { topic, kind, ids } = message;
  if (kind === undefined) return { ignored: reasonOf(topic) };
  const came = ids.map((id) => {
    switch (kind) {
      case 'order':
        return ofOrder(id, message, webhook, context);
      case 'receivable':
        return ofReceivable(id, message, webhook, context);
      case 'bill':
        return ofBill(id, message, webhook, context);
      case 'customer':
        return ofCustomer(id, webhook, context);
    }
  });
  return together(came);
}

/** What came of all that a message names. */
function together(came: readonly Normalised[]): Normalised {
  const events = came.flatMap((one) => ('events' in one ? one.events : []));
  if (events.length > 0) return { events };
  const ignored = came.flatMap((one) => ('ignored' in one ? one.ignored : []));
  const unbooked = came.flatMap((one) => ('ignored' in one ? (one.unbooked ?? []) : []));
  return { ignored: [...new Set(ignored)].join('; '), ...(unbooked.length > 0 && { unbooked }) };
}

function ofOrder(id: string, { topic }: Message, webhook: StoredWebhook, context: SourceContext): Normalised {
  const answer = orderAnswered(webhook, id);
  if (answer === undefined) return { ignored: `the sales order ${GONE}` };
  if (isQuote(answer.at('pedido_venda_produto')))
    return { ignored: 'it is a quote, which nobody ordered yet' };
  const created = saysCreated(topic);
  const instalments = instalmentsOf(answer, webhook, context);
  if (saysCancelled(topic) && instalments.some(({ facts }) => facts.cancelledAt === undefined))
    throw new UnreadablePayload('the sales order was cancelled, and Omie does not show it yet');
  const events = instalments.flatMap(({ facts, awaited }) =>
    orderEvents(facts, { created, awaited }, answer),
  );
  return eventsOr(events, 'the sales order costs nothing');
}

function ofReceivable(
  id: string,
  { topic }: Message,
  webhook: StoredWebhook,
  context: SourceContext,
): Normalised {
  const receivable = receivableAnswered(webhook, id);
  if (receivable === undefined) return { ignored: `the receivable ${GONE}` };
  const title = titleOf(webhook, id, topic, context);
  const order = codeIn(receivable, 'nCodPedido');
  if (saysUndone(topic)) return undone('receipt', 'receivable', title, keyOf(title, order, context));
  if (order !== undefined) return ofInstalment(title, order, webhook, context);
  const facts = ownOrderOf(title, webhook, context);
  const state = {
    ...{ created: saysCreated(topic), awaited: awaitedOf(title, facts) },
    datedBy: { 'order.cancelled': RECEIVED },
  };
  return eventsOr(orderEvents(facts, state, title.answer), 'nothing was paid of the receivable');
}

/** A receivable of a sales order is one of its instalments, and has the facts of that one. */
function ofInstalment(
  title: Title,
  order: string,
  webhook: StoredWebhook,
  context: SourceContext,
): Normalised {
  if (title.moved.length === 0)
    return { ignored: 'nothing was paid of the receivable: its sales order says what is to be paid' };
  const answer = orderAnswered(webhook, order);
  if (answer === undefined)
    throw new UnreadablePayload('money came for a sales order that Omie does not have any more');
  const number = title.instalment ?? 1;
  const instalment = instalmentsOf(answer, webhook, context).find((one) => one.number === number);
  if (instalment === undefined)
    throw new UnreadablePayload('money came for an instalment that its sales order does not have');
  const facts = withPayments(instalment.facts, title);
  return eventsOr(orderEvents(facts, { created: false }, title.answer), 'nothing was paid of the receivable');
}

/** The business key of the order that a receivable is. */
function keyOf({ id, instalment = 1 }: Title, order: string | undefined, { source }: SourceContext): string {
  return order === undefined ? ownOrderKey(source, id) : instalmentKey(source, order, instalment);
}

function ofBill(id: string, { topic }: Message, webhook: StoredWebhook, context: SourceContext): Normalised {
  if (billAnswered(webhook, id) === undefined) return { ignored: `the bill ${GONE}` };
  const title = titleOf(webhook, id, topic, context);
  if (saysUndone(topic)) return undone('payment', 'bill', title, billKey(context.source, id));
  return eventsOr(billEvents(title, webhook, context), 'nothing was paid of the bill');
}

function ofCustomer(id: string, webhook: StoredWebhook, { source }: SourceContext): Normalised {
  const person = personAnswered(webhook, id);
  if (person === undefined) return { ignored: `the customer ${GONE}` };
  if (!isCustomer(person)) return { ignored: 'it is a supplier, and no customer' };
  return { events: [customerEvent(customerOf(person, source, id), webhook.receivedAt, person)] };
}

/** @throws UnreadablePayload also where money is said to have moved, and none is listed: no other message may follow */
function titleOf(webhook: StoredWebhook, id: string, topic: string, context: SourceContext): Title {
  const { answer, title } = titleAnswered(webhook, id);
  const found = readTitle(answer, title, context);
  if (saysMoved(topic) && found.moved.length === 0)
    throw new UnreadablePayload('money moved for a title, and Omie does not list it yet');
  return found;
}

/** What was entered as moved did not: nothing says which of the entries that were booked it was. */
function undone(what: string, of: string, { id, value }: Title, businessKey: string): Normalised {
  const detail = `a ${what} of ${of} ${id} of ${value.toString()} ${value.currency} was undone in Omie: put right by hand what was booked`;
  return askPerson(businessKey, detail, value);
}

/** One event for each payment of a bill: what left the account, interest and fines included. @throws UnreadablePayload */
function billEvents(title: Title, webhook: StoredWebhook, { source }: SourceContext): BillEvent[] {
  const { answer, head, id: titleId, number, person, moved } = title;
  const supplier = supplierOf(personAnswered(webhook, person), person);
  return moved
    .filter(({ cash }) => cash.isPositive)
    .map(({ id: entry, cash, at }): BillEvent => {
      const id = `${titleId}.${entry}`;
      const key = billKey(source, id);
      const bill: BillFacts = defined({
        ...{ key, source, id, supplier, value: cash, paidAt: at, description: number },
        category: head.text('cCodCateg'),
        test: false,
      });
      return withRaw({ type: 'bill.paid', key, occurredAt: at, bill }, answer);
    });
}
