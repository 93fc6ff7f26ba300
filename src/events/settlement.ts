import type { CalendarDate } from '../kernel/calendar-date';
import type { Money } from '../kernel/money';

/** One instalment of a payment by card, as the acquirer is to pay it. */
export interface PlannedSettlement {
  /**
   * Business key: `{payment key}/settlement/{number}`, the same as that of the event which says that it was paid, so that
   * both are known as one.
   */
  key: string;
  /** From 1. */
  number: number;
  /** What is paid, before the acquirer's fee. Positive. */
  value: Money;
  /** What the acquirer keeps of it; absent: nothing, or it is not said. */
  fee?: Money;
  /** The day on which it is paid. */
  on: CalendarDate;
}

/** One instalment of a payment by card that the acquirer paid. */
export interface SettlementFacts {
  /** Business key: `{payment key}/settlement/{number}`; of an unknown order `{source slug}/settlement/{id}`. */
  key: string;
  /** The source's slug. */
  source: string;
  id: string;
  /** Business key of the order that was paid; absent: the acquirer does not say. */
  orderKey?: string;
  /** Business key of the payment that it is part of; absent: the acquirer does not say. */
  paymentKey?: string;
  /** The gateway's name as payments have it; empty when unknown. */
  gateway: string;
  /** Which instalment it is, from 1. */
  number: number;
  /** How many instalments there are. */
  of: number;
  /** What was paid, before the acquirer's fee. Positive. */
  value: Money;
  /** What the acquirer kept of it; absent: nothing, or it is not said. */
  fee?: Money;
  /** The fee was said with the payment already: whoever books it then has it. Absent: this may be the first word of it. */
  feeAnnounced?: boolean;
  settledAt: Date;
  /** Of a gateway's test mode: visible, posts nothing unless the source says so. */
  test: boolean;
}
