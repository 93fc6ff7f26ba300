import type { DisputeEvent, DisputeFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { disputeKey, orderKey } from '../mapping/keys';
import { disputeEvent, RECEIVED } from '../mapping/order-events';
import type { Payload } from '../payload';
import { type Charge, CURRENCY, GATEWAY, instantOf } from './charge';
import type { DateZones, SourceContext } from '../source';

/** Statuses of a charge while a chargeback is open. */
const OPEN = ['CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'AWAITING_CHARGEBACK_REVERSAL'];
const STATES: ReadonlyMap<string, DisputeFacts['state']> = new Map([
  ['REQUESTED', 'open'],
  ['IN_DISPUTE', 'open'],
  ['DISPUTE_LOST', 'lost'],
  ['REVERSED', 'won'],
]);

/** A chargeback of a charge, and sentences about what of it cannot be known. */
export interface Dispute {
  readonly event: DisputeEvent | undefined;
  readonly differences: readonly string[];
}

/** When a chargeback began that the shop did not win; undefined where there is none. @throws UnreadablePayload */
export function disputedSince(charge: Charge, zones: DateZones): Date | undefined {
  const chargeback = charge.place.at('chargeback');
  const word = chargeback.word('status');
  const isOpen = OPEN.includes(charge.status);
  if (!isOpen && (word === undefined || STATES.get(word) === 'won')) return undefined;
  return instantOf(chargeback, 'disputeStartDate', zones) ?? charge.createdAt;
}

/**
 * The chargeback of a charge. All instalments of one sale by card name the same, with the whole of its value, so that it is
 * booked once.
 * @throws UnreadablePayload
 */
export function disputeOf(charge: Charge, receivedAt: Date, test: boolean, context: SourceContext): Dispute {
  const { place, status } = charge;
  const chargeback = place.at('chargeback');
  const isOpen = OPEN.includes(status);
  if (!chargeback.has('status') && !isOpen) return { event: undefined, differences: [] };
  const id = chargeback.identifier('id');
  const value = chargeback.amount('value', CURRENCY);
  if (id === undefined || !value?.isPositive)
    return byHand(`The payment has a chargeback, and nothing says of how much: book it by hand.`);
  const word = chargeback.word('status') ?? status;
  const known = STATES.get(word);
  // Asaas waits for the acquirer then: the money is not back yet.
  const state = known === undefined || (known === 'won' && isOpen) ? 'open' : known;
  return {
    event: eventOf(charge, { id, value, state, test, chargeback }, receivedAt, context),
    differences:
      known === undefined
        ? [`Chargeback ${id} is ${word}: whether the money came back has to be seen at Asaas.`]
        : [],
  };
}

function byHand(sentence: string): Dispute {
  return { event: undefined, differences: [sentence] };
}

interface ReportedDispute {
  readonly id: string;
  readonly value: Money;
  readonly state: DisputeFacts['state'];
  readonly test: boolean;
  readonly chargeback: Payload;
}

function eventOf(
  charge: Charge,
  { id, value, state, test, chargeback }: ReportedDispute,
  receivedAt: Date,
  context: SourceContext,
): DisputeEvent {
  const { source } = context;
  const key = disputeKey(source, id);
  const beganAt = instantOf(chargeback, 'disputeStartDate', context);
  const openedAt = beganAt ?? receivedAt;
  const closedAt = state === 'open' ? undefined : receivedAt;
  const dispute: DisputeFacts = defined({
    ...{ key, source, id, gateway: GATEWAY, value, state, openedAt, test },
    orderKey: orderKeyOf(charge, chargeback, source),
    closedAt,
  });
  return disputeEvent(dispute, charge.place, closedAt || !beganAt ? RECEIVED : undefined);
}

/** The order of the payment that the chargeback names; without one its own, unless it is of several instalments. */
function orderKeyOf(charge: Charge, chargeback: Payload, source: string): string | undefined {
  const payment = chargeback.identifier('payment');
  if (payment !== undefined) return orderKey(source, payment);
  return chargeback.has('installment') ? undefined : charge.orderKey;
}
