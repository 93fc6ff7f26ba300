import { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';
import { beginningOf } from '../instant';
import { payoutKey } from '../mapping/keys';
import { askPerson } from '../mapping/normalised';
import { withRaw } from '../mapping/order-events';
import type { Payload } from '../payload';
import type { Normalised, SourceContext } from '../source';
import { currencyOf, signedOf, timeOf } from './amounts';
import { GATEWAY, type StripeEvent } from './stripe-event';

/** What Stripe moved to the bank. @throws UnreadablePayload */
export function readPayout(event: StripeEvent, context: SourceContext): Normalised {
  const payout = event.object;
  const id = payout.identifier('id') ?? payout.missing('id');
  const key = payoutKey(context.source, id);
  const value = signedOf(payout, 'amount', currencyOf(payout)) ?? payout.missing('amount');
  const returned = 'did not reach the bank, or came back from it: what was posted for it stands';
  if (event.type === 'payout.failed') return byHand(event, key, value, returned);
  if (!value.isPositive) return byHand(event, key, value, 'took money from the bank');
  const paidAt = arrivalOf(payout, context) ?? event.at;
  const facts = { key, source: context.source, id, gateway: GATEWAY, value, paidAt, test: event.test };
  return {
    events: [withRaw({ type: 'payout.paid', key, occurredAt: paidAt, payout: facts }, event.message)],
  };
}

/** The beginning of the day of arrival. Stripe says the day as midnight in UTC, which is the day before in America. */
function arrivalOf(payout: Payload, context: SourceContext): Date | undefined {
  const arrival = timeOf(payout, 'arrival_date');
  return arrival && beginningOf(CalendarDate.fromInstant(arrival, 'UTC'), context);
}

function byHand({ test }: StripeEvent, businessKey: string, moved: Money, what: string): Normalised {
  const value = moved.isNegative ? moved.negated() : moved;
  const id = businessKey.split('/').at(-1);
  const detail = `payout ${id} of ${moved.toString()} ${moved.currency} ${what}. Book it by hand`;
  return askPerson(businessKey, detail, value, { test, code: 'payout-not-booked' });
}
