import type { CanonicalEvent } from '../../events/event';
import type { Unbooked } from '../../events/unbooked';
import type { Money } from '../../kernel/money';
import { feeEvent } from '../mapping/fees';
import { feeKey } from '../mapping/keys';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { Normalised, SourceContext } from '../source';
import { isTest } from './dispute';
import { isPaid } from './order';
import { dateOf, GATEWAY, keptOf, returnedFeeOf, valueOf } from './payment';
import { madeRefunds } from './refunds';

/** The entity that a payment is known by, as keys have it after the source, where the shop reports its sale. */
export function entityOf(payment: Payload): string {
  return `fee/${payment.identifier('id') ?? payment.missing('id')}`;
}

/**
 * What a payment says that the shop does not: the fee, one that was given back with a refund, and its chargeback. A payment that no shop can
 * have asked for, and amounts that disagree, a person is asked about.
 * @param disputes of the payment
 * @param sentences about what else disagrees
 * @throws UnreadablePayload
 */
export function besideShop(
  payment: Payload,
  disputes: readonly CanonicalEvent[],
  sentences: readonly string[],
  context: SourceContext,
): Normalised {
  const key = `${context.source}/${entityOf(payment)}`;
  if (!isPaid(payment)) return { ignored: 'nothing was paid, and the shop reports its sale', key };
  const value = valueOf(payment);
  const { fee, differences } = keptOf(payment, value);
  const back = givenBack(payment, value, context);
  const events = [
    ...(fee?.isPositive ? [kept(payment, '', dateOf(payment, context.timeZone).paidAt, fee, context)] : []),
    ...back.events,
    ...disputes,
  ];
  const test = isTest(payment) && !flagSetting(context.settings, 'bookTestOrders');
  const questions = [...differences, ...back.questions, ...sentences, ...withoutShop(payment)];
  const unbooked = test ? [] : questions.map((detail) => asked(key, detail, value));
  const besides = unbooked.length === 0 ? {} : { unbooked };
  if (events.length > 0) return { events, ...besides };
  return { ignored: 'the shop reports the sale, and no fee was kept', key, ...besides };
}

function asked(businessKey: string, detail: string, value: Money): Unbooked {
  return { businessKey, code: 'movement-not-booked', detail, value };
}

/** @param part of the payment that it is of, where it is not the fee of the payment */
function kept(
  payment: Payload,
  part: string,
  chargedAt: Date,
  fee: Money,
  context: SourceContext,
): CanonicalEvent {
  const { source, settings } = context;
  const id = `${payment.identifier('id') ?? payment.missing('id')}${part}`;
  const reference = payment.textIfAny('external_reference');
  const facts = {
    ...{ key: feeKey(source, id), source, id, gateway: GATEWAY, chargedAt },
    description: `payment ${payment.identifier('id') ?? id}${reference === undefined ? '' : ` of order ${reference}`}`,
    test: isTest(payment) && !flagSetting(settings, 'bookTestOrders'),
  };
  return feeEvent(facts, fee, payment);
}

/** A fee that came back with the one refund that there is; of several Mercado Pago says the sum alone. */
function givenBack(
  payment: Payload,
  value: Money,
  context: SourceContext,
): { events: CanonicalEvent[]; questions: string[] } {
  const back = returnedFeeOf(payment, value.currency);
  if (back === undefined) return { events: [], questions: [] };
  const [refund, another] = madeRefunds(payment);
  const at = refund?.instant('date_created', context.timeZone);
  const id = refund?.identifier('id');
  if (at === undefined || id === undefined || another !== undefined) {
    const sentence = `Mercado Pago has given ${back.withCurrency()} of its fee back in all: book by hand what of it you have not booked yet.`;
    return { events: [], questions: [sentence] };
  }
  return { events: [kept(payment, `.${id}`, at, back.negated(), context)], questions: [] };
}

/** A sentence about a payment that no shop online asked for by a number of its own. */
function withoutShop(payment: Payload): string[] {
  const isAtCounter = payment.word('operation_type') === 'pos_payment';
  if (!isAtCounter && payment.textIfAny('external_reference') !== undefined) return [];
  const id = payment.identifier('id') ?? '';
  return [`Payment ${id} has no number of a shop's order: if no shop reports it, enter the sale by hand.`];
}
