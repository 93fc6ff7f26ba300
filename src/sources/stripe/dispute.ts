import type { DisputeFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { disputeKey } from '../mapping/keys';
import { moneyOf } from '../mapping/lines';
import { disputeEvent, latest } from '../mapping/order-events';
import type { Payload } from '../payload';
import type { Normalised, SourceContext } from '../source';
import { amountOf, currencyOf, signedOf, timeOf } from './amounts';
import { GATEWAY, identifierOf, type StripeEvent } from './stripe-event';

const STATES: ReadonlyMap<string, DisputeFacts['state']> = new Map([
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['appeal_needs_response', 'open'],
  ['appeal_under_review', 'open'],
  ['won', 'won'],
  ['lost', 'lost'],
]);
/** Inquiries, and disputes that the buyer's bank was talked out of: no money is taken. */
const WITHOUT_MONEY = /^(warning_|prevented$)/;

/**
 * A dispute as Stripe tells it. It names a payment, and not the order that the shop has for it.
 * @throws UnreadablePayload
 */
export function readDispute(event: StripeEvent, context: SourceContext): Normalised {
  const dispute = event.object;
  const status = dispute.word('status') ?? dispute.missing('status');
  if (WITHOUT_MONEY.test(status)) return { ignored: `the dispute is ${status}: no money was taken back` };
  const state = STATES.get(status) ?? dispute.fail('status', 'is none of a dispute that Ponte knows');
  // Versions of Stripe's API before 2014 give a dispute no identifier: a charge has one dispute then.
  const id = dispute.identifier('id') ?? identifierOf(dispute, 'charge') ?? dispute.missing('id');
  const key = disputeKey(context.source, id);
  const value = valueOf(dispute);
  const { fee, at } = withdrawalOf(dispute, value.currency);
  const openedAt = at ?? timeOf(dispute, 'created') ?? dispute.missing('created');
  const closedAt = state === 'open' ? undefined : event.at;
  const facts: DisputeFacts = defined({
    ...{ key, source: context.source, id, gateway: GATEWAY, value, state, openedAt },
    fee,
    closedAt,
    test: event.test,
  });
  return { events: [disputeEvent(facts, event.message, !at || closedAt ? 'created' : undefined)] };
}

function valueOf(dispute: Payload): Money {
  const value = amountOf(dispute, 'amount', currencyOf(dispute)) ?? dispute.missing('amount');
  return value.isPositive ? value : dispute.fail('amount', 'must be more than zero');
}

/** When Stripe took the money and what it kept for that, where the dispute says it in its own currency. */
function withdrawalOf(dispute: Payload, currency: string): { fee?: Money; at?: Date } {
  const taken = dispute
    .items('balance_transactions')
    .filter((one) => currencyOf(one) === currency && signedOf(one, 'amount', currency)?.isNegative);
  const fee = moneyOf(
    taken.map((one) => amountOf(one, 'fee', currency)?.minor ?? 0n),
    currency,
  );
  const at = latest(taken.map((one) => timeOf(one, 'created')));
  return defined({ fee, at });
}
