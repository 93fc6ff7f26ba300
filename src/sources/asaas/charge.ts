import type { PaymentFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { beginningOf } from '../instant';
import { defined } from '../mapping/defined';
import { fullPaymentKey, orderKey, settlementKey } from '../mapping/keys';
import type { AwaitedCharge, PaymentDate } from '../mapping/order-events';
import type { Payload } from '../payload';
import type { DateZones, SourceContext } from '../source';

/** The gateway's name in payments, refunds and disputes. */
export const GATEWAY = 'asaas';
/** The one currency that Asaas has. */
export const CURRENCY = 'BRL';

/** The shop says that it was paid another way: nothing of it is in the Asaas account. */
const IN_CASH = 'RECEIVED_IN_CASH';
const PAID = [
  'CONFIRMED',
  'RECEIVED',
  IN_CASH,
  'DUNNING_RECEIVED',
  'REFUND_REQUESTED',
  'REFUND_IN_PROGRESS',
  'REFUNDED',
  'CHARGEBACK_REQUESTED',
  'CHARGEBACK_DISPUTE',
  'AWAITING_CHARGEBACK_REVERSAL',
];
const WAITING = ['PENDING', 'OVERDUE', 'DUNNING_REQUESTED'];
const NOT_PAID = ['AUTHORIZED', 'AWAITING_RISK_ANALYSIS'];
const CARDS = ['credit_card', 'debit_card'];

/** A payment of Asaas (cobrança) in its state of that moment. */
export interface Charge {
  readonly place: Payload;
  readonly id: string;
  /** The business key of the order that it is. */
  readonly orderKey: string;
  readonly status: string;
  /** In lower case, as Ponte's tables have it: `credit_card`, `boleto`, `pix`; empty while the buyer may choose. */
  readonly method: string;
  readonly value: Money;
  readonly createdAt: Date;
  readonly isPaid: boolean;
  /** A boleto, Pix or transfer may still pay it. */
  readonly isAwaited: boolean;
  /** Whether it says that money came, in a status of which nobody knows what it means. */
  readonly isUnknown: boolean;
  readonly isDeleted: boolean;
}

/** @throws UnreadablePayload */
export function readCharge(place: Payload, zones: DateZones & Pick<SourceContext, 'source'>): Charge {
  const id = place.identifier('id') ?? place.missing('id');
  const status = place.word('status') ?? place.missing('status');
  const value = place.amount('value', CURRENCY) ?? place.missing('value');
  if (!value.isPositive) place.fail('value', 'must be more than zero');
  const type = (place.word('billingType') ?? '').toLowerCase();
  const method = type === 'undefined' ? '' : type;
  const isDeleted = place.flag('deleted');
  const isKnown = [...PAID, ...WAITING, ...NOT_PAID].includes(status);
  return {
    ...{ place, id, orderKey: orderKey(zones.source, id), status, method, value, isDeleted },
    createdAt: instantOf(place, 'dateCreated', zones) ?? place.missing('dateCreated'),
    isPaid: PAID.includes(status),
    isAwaited: WAITING.includes(status) && !isDeleted && !CARDS.includes(method),
    isUnknown: !isKnown && paidDays(place, zones).length > 0,
  };
}

/** The days that say when it was paid, the buyer's own before those of Asaas. */
function paidDays(place: Payload, zones: DateZones): Date[] {
  return ['clientPaymentDate', 'confirmedDate', 'paymentDate'].flatMap(
    (name) => instantOf(place, name, zones) ?? [],
  );
}

/** Which account took it. */
export function gatewayOf({ status }: Charge): string {
  return status === IN_CASH ? IN_CASH.toLowerCase() : GATEWAY;
}

/** The payment that a paid charge is, with the day on which Asaas makes the money of a card available. */
export function paymentOf(
  charge: Charge,
  zones: DateZones,
): { payment: PaymentFacts; differences: string[] } {
  const { place, method, value } = charge;
  const key = fullPaymentKey(charge.orderKey);
  const gateway = gatewayOf(charge);
  const kept = gateway === GATEWAY ? keptOf(charge) : { differences: [] };
  const on = creditedOn(charge, zones.timeZone);
  return {
    payment: defined({
      ...{ key, gateway, method: gateway === GATEWAY ? method : 'cash', value },
      brand: place.loosely('creditCard').textIfAny('creditCardBrand'),
      fee: kept.fee,
      net: kept.net,
      settlements: on && [defined({ key: settlementKey(key, 1), number: 1, value, fee: kept.fee, on })],
      instalments: 1,
      ...dateOf(charge, zones),
    }),
    differences: kept.differences,
  };
}

/** The day on which the money of a card is to be there; undefined where it is no card, or Asaas does not say. */
function creditedOn({ place, method, status }: Charge, zone: string) {
  if (!CARDS.includes(method) || status === IN_CASH) return undefined;
  return place.day('estimatedCreditDate', zone) ?? place.day('creditDate', zone);
}

/** When the money of a card became available; undefined while it is not, or where it is no card. */
export function settledAt({ place, method, status }: Charge, zones: DateZones): Date | undefined {
  if (!CARDS.includes(method) || status !== 'RECEIVED') return undefined;
  return instantOf(place, 'creditDate', zones) ?? instantOf(place, 'paymentDate', zones);
}

/** Whether the money of a card was there before the announced day, which says nothing any more of when it came. */
export function isCreditedEarly({ place, method, status }: Charge, zone: string): boolean {
  if (!CARDS.includes(method) || status === IN_CASH) return false;
  const announced = place.day('estimatedCreditDate', zone);
  const credited = place.day('creditDate', zone) ?? place.day('paymentDate', zone);
  return announced !== undefined && credited !== undefined && credited.compare(announced) < 0;
}

/** What Asaas keeps: what the buyer pays less what reaches the account. */
export function keptOf({ place, value }: Charge): { fee?: Money; net?: Money; differences: string[] } {
  const net = place.money('netValue', CURRENCY);
  if (net === undefined) return { differences: [] };
  const fee = value.minus(net);
  if (fee.isNegative)
    return {
      differences: [
        `${net.toString()} BRL are to reach the account, of a payment of ${value.toString()} BRL: the fee is left out.`,
      ],
    };
  return {
    ...(fee.isPositive && { fee }),
    ...(!net.isNegative && { net }),
    differences: [],
  };
}

function dateOf({ place, createdAt }: Charge, zones: DateZones): PaymentDate {
  const [paidAt] = paidDays(place, zones);
  return paidAt ? { paidAt } : { paidAt: createdAt, datedBy: 'dateCreated' };
}

/** What a charge that nobody paid yet waits for; undefined where it waits for nothing. */
export function awaitedOf(charge: Charge, zone: string): AwaitedCharge | undefined {
  if (!charge.isAwaited) return undefined;
  const { place, method, value, createdAt } = charge;
  return {
    charge: defined({
      ...{ key: fullPaymentKey(charge.orderKey), gateway: GATEWAY, method, value },
      dueDate: place.day('dueDate', zone),
    }),
    at: createdAt,
    expired: false,
  };
}

/** The beginning of a day: Asaas says of most things the day alone. A time is taken as it is. */
export function instantOf(place: Payload, key: string, zones: DateZones): Date | undefined {
  const text = place.text(key);
  if (text === undefined || text.length > 10) return place.instant(key, zones.timeZone);
  const day = place.day(key, zones.timeZone);
  return day && beginningOf(day, zones);
}
