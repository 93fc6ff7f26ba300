import type { Money } from '../../kernel/money';
import type { Payload } from '../payload';
import type { PaymentDate } from './order-events';

/** A charge of which money came. */
interface PaidCharge {
  /** As the gateway spells it. */
  readonly status: string;
  /** What was to be paid, and what was. */
  readonly value: Money;
  readonly paid: Money;
  /** What went back of it; undefined: nothing. */
  readonly back: Money | undefined;
}

/** Sentences about a charge whose amounts disagree. @param canceled the gateway's word for a charge that is over */
export function chargeDifferences({ status, value, paid, back }: PaidCharge, canceled: string): string[] {
  const shown = paid.withCurrency();
  return [
    ...(paid.equals(value)
      ? []
      : [`The charge of ${value.withCurrency()} is ${status}, but ${shown} were paid.`]),
    ...(status === canceled && back === undefined
      ? [`The charge is ${status} after ${shown} were paid, and nothing is said to have gone back.`]
      : []),
    ...(back && back.compare(paid) > 0
      ? [`${back.withCurrency()} went back of a charge of which ${shown} were paid.`]
      : []),
  ];
}

/** When a charge was paid, by the time that it was made where it does not say. @param zone IANA zone @throws UnreadablePayload */
export function chargeDate(place: Payload, zone: string): PaymentDate {
  const paidAt = place.instant('paid_at', zone);
  if (paidAt) return { paidAt };
  return { paidAt: place.instant('created_at', zone) ?? place.missing('paid_at'), datedBy: 'created_at' };
}
