import type { CalendarDate } from '../kernel/calendar-date';
import type { Money } from '../kernel/money';
import type { BillFacts } from './bill';
import type { FeeFacts } from './fee';
import type { PlannedSettlement, SettlementFacts } from './settlement';

/** The canonical events every source is translated into; rules know no others. */
export const EVENT_TYPES = [
  'order.created',
  'order.pending',
  'order.expired',
  'order.paid',
  'order.edited',
  'order.cancelled',
  'order.refunded',
  'customer.updated',
  'payment.settled',
  'payout.paid',
  'payment.disputed',
  'fee.charged',
  'bill.paid',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
export type OrderEventType = Extract<EventType, `order.${string}`>;

/** An address as shops give it; any piece may be missing. */
export interface AddressFacts {
  line1?: string;
  number?: string;
  line2?: string;
  district?: string;
  city?: string;
  /** State or province; in Brazil the two letters (`SP`). */
  state?: string;
  zipCode?: string;
  /** ISO 3166-1 alpha-2 where the shop says so. */
  country?: string;
}

export interface CustomerFacts {
  /** Business key, unique in the organization: `{source slug}/customer/{id}`, or one made of the order for a guest. */
  key: string;
  /** What to call them; never empty: falls back to the e-mail's local part, then to `Guest`. */
  name: string;
  /** CPF or CNPJ as the shop has it, not yet checked; absent when the shop has none. */
  document?: string;
  email?: string;
  phone?: string;
  address?: AddressFacts;
}

export interface PaymentFacts {
  /** Business key of the payment: `{order key}/payment/{id}`; one order may be paid in several payments. */
  key: string;
  /** The gateway's name as the shop spells it, for example `mercado_pago`; empty when unknown. */
  gateway: string;
  /** Payment method as the shop spells it (`credit_card`, `pix`); empty when unknown. */
  method: string;
  /** The card's brand as the shop spells it (`visa`); absent: no card, or the shop does not say. */
  brand?: string;
  /** What the buyer paid, before the gateway's fee. */
  value: Money;
  /** What the gateway keeps of it; absent: the shop does not say. */
  fee?: Money;
  /** What reaches the shop of it; absent: the shop does not say. */
  net?: Money;
  /** How many instalments the buyer pays it in; absent: the shop does not say it of this payment. */
  instalments?: number;
  /** When the acquirer pays how much of it, the first first; absent: the shop does not say. */
  settlements?: PlannedSettlement[];
  /** Paid with a gift card, store credit or points, so that no account received anything. Absent: it is money. */
  storeCredit?: boolean;
  paidAt: Date;
  /** The evidence that dates it, where the shop does not say when it was made; absent: the shop says. */
  datedBy?: string;
}

/** What an order that is not paid waits for: a boleto, a Pix, a transfer. */
export interface ChargeFacts {
  /** The business key of the payment that would pay it, so that both are known as one. */
  key: string;
  /** The gateway's name as the shop spells it; empty when unknown. */
  gateway: string;
  /** Payment method as the shop spells it (`boleto`, `pix`); empty when unknown. */
  method: string;
  /** What is to be paid. Positive. */
  value: Money;
  /** The day on which it is due, as on a boleto; absent: the shop does not say. */
  dueDate?: CalendarDate;
  /** After which it cannot be paid any more; absent: the shop does not say. */
  expiresAt?: Date;
  /** What the buyer types or copies to pay it: a boleto's line, a Pix's text. */
  line?: string;
}

/** One part of what an order comes to, as seller and buyer agreed on when it is paid (30, 60 and 90 days). */
export interface PaymentTerm {
  /** Positive. */
  value: Money;
  dueDate: CalendarDate;
}

/** One change of an order's contents after it was made. */
export interface EditFacts {
  /** Business key: `{order key}/edit/{id}`. */
  key: string;
  /** What the total changed by; negative where something was taken out. Never zero. */
  value: Money;
  editedAt: Date;
}

/** What came back from the buyer, or was put on the shelf again. */
export interface ReturnedItem {
  title: string;
  sku?: string;
  quantity: number;
}

export interface RefundFacts {
  /** Business key: `{order key}/refund/{id}`. */
  key: string;
  /** Positive. */
  value: Money;
  /** Business key of the payment that it gives back; absent: the shop does not say. */
  paymentKey?: string;
  /** What came back or was restocked with it; absent: nothing, or the shop does not say. */
  returned?: ReturnedItem[];
  /** The gateway that gave it back, as the shop spells it; absent: the shop does not say. */
  gateway?: string;
  /** Given back as a gift card or store credit, so that it left no account. Absent: it is money. */
  storeCredit?: boolean;
  refundedAt: Date;
}

export interface OrderLine {
  title: string;
  sku?: string;
  quantity: number;
  /** Price of one, before discounts. */
  price: Money;
  /** What is taken off the whole line; absent: nothing, or the shop does not say. */
  discount?: Money;
  /** Taxes on the whole line, in the price or on top of it as the shop has it; absent: none, or the shop does not say. */
  tax?: Money;
  /** A gift card is sold: money taken in advance. Absent: goods or services. */
  giftCard?: boolean;
}

/** An order as every rule sees it, whatever shop it came from. */
export interface OrderFacts {
  /** Business key, unique in the organization and the same for every webhook of this order: `{source slug}/order/{id}`. */
  key: string;
  /** The source's slug. */
  source: string;
  /** The shop's identifier of the order, exact to the last digit. */
  id: string;
  /** The number people use for it. */
  number: string;
  /**
   * What the order came to before its {@link edits}, all included, so that it stays the same for the order's whole life.
   * Authoritative, even where lines or payments disagree (see `differences`).
   */
  total: Money;
  /** What was taken off, over all lines. Here and below, absent: nothing, or the shop does not say. */
  discount?: Money;
  shipping?: Money;
  tax?: Money;
  tip?: Money;
  /** What a marketplace keeps of the order. */
  commission?: Money;
  /** The marketplace that sold it, as the shop spells it. */
  marketplace?: string;
  createdAt: Date;
  /** The payload's own last-change time; absent when it has none. */
  updatedAt?: Date;
  cancelledAt?: Date;
  /** Set as soon as the shop calls the order paid. */
  paidAt?: Date;
  /** How many instalments the buyer chose; 1 when the shop does not say. */
  instalments: number;
  /**
   * What the buyer owes on which day, as was agreed, the earliest first; they add up to `total`. Absent: nothing was agreed, or
   * it is not said to the cent. Of an order that a card pays at once this is not when the acquirer pays.
   */
  terms?: PaymentTerm[];
  /** A test order: stored and visible, posts nothing unless the source says so. */
  test: boolean;
  customer: CustomerFacts;
  /** The payment this event is about; present on `order.paid`, which comes once for each payment. */
  payment?: PaymentFacts;
  /** All payments that the payload tells of, the earliest first. */
  payments: PaymentFacts[];
  /** What the order waits for, or waited for in vain; present on `order.pending` and `order.expired`. */
  charge?: ChargeFacts;
  refunds: RefundFacts[];
  /** Its changes so far, the earliest first; absent: none, or the shop does not tell them apart from the total. */
  edits?: EditFacts[];
  lines: OrderLine[];
  /**
   * Sentences about what disagrees in the payload, or cannot be read, with amounts; empty when all agrees. A person must
   * look at each, where there is money in the order.
   */
  differences: string[];
}

/** What a line of a payout is about. */
export const PAYOUT_LINE_KINDS = ['payment', 'refund', 'dispute', 'fee', 'adjustment'] as const;

export interface PayoutLine {
  kind: (typeof PAYOUT_LINE_KINDS)[number];
  /** What it adds to the payout; negative where it takes something off. Payments are before the gateway's fee. */
  value: Money;
  /** Business key of the order that it is about; absent: of none, or the gateway does not say. */
  orderKey?: string;
}

/** What a gateway pays out: the money of several payments, moved to the bank. */
export interface PayoutFacts {
  /** Business key: `{source slug}/payout/{id}`. */
  key: string;
  /** The source's slug. */
  source: string;
  id: string;
  /** The gateway's name as payments have it. */
  gateway: string;
  /** What reached the bank. Positive. */
  value: Money;
  /** What the gateway kept; absent: the gateway does not say. */
  fee?: Money;
  /** What it is made of; absent: the gateway does not say. */
  lines?: PayoutLine[];
  paidAt: Date;
  /** Of a gateway's test mode: visible, posts nothing unless the source says so. */
  test: boolean;
}

/** How a dispute stands: `won` by the shop, or `lost` to the buyer. */
export const DISPUTE_STATES = ['open', 'won', 'lost'] as const;

/** A buyer who had a payment taken back (chargeback). The gateway takes the money at once, and returns it where the shop wins. */
export interface DisputeFacts {
  /** Business key: `{source slug}/dispute/{id}`. */
  key: string;
  /** The source's slug. */
  source: string;
  id: string;
  /** Business key of the order that was paid; absent: the shop does not say. */
  orderKey?: string;
  /** The gateway's name as payments have it; empty when unknown. */
  gateway: string;
  /** What was taken back. Positive. */
  value: Money;
  /** What the gateway keeps for the dispute besides; absent: nothing, or the shop does not say. */
  fee?: Money;
  state: (typeof DISPUTE_STATES)[number];
  openedAt: Date;
  /** When it was won or lost, as far as the shop says. */
  closedAt?: Date;
  /** Of a gateway's test mode: visible, posts nothing unless the source says so. */
  test: boolean;
}

interface EventBase {
  /** The entity's business key: that of the order, customer, settlement, payout, dispute, fee or bill. */
  key: string;
  /** When it happened, by the payload's own clock. */
  occurredAt: Date;
  /** The evidence that dates it, where the payload does not say when it happened; absent: it says. */
  datedBy?: string;
  /** The payload as parsed (lossless numbers as decimal text), for what a shop adds of its own. */
  raw: unknown;
}

export interface OrderEvent extends EventBase {
  type: OrderEventType;
  order: OrderFacts;
}

export interface CustomerEvent extends EventBase {
  type: 'customer.updated';
  customer: CustomerFacts;
}

export interface PayoutEvent extends EventBase {
  type: 'payout.paid';
  payout: PayoutFacts;
}

export interface DisputeEvent extends EventBase {
  type: 'payment.disputed';
  dispute: DisputeFacts;
}

export interface SettlementEvent extends EventBase {
  type: 'payment.settled';
  settlement: SettlementFacts;
}

export interface FeeEvent extends EventBase {
  type: 'fee.charged';
  fee: FeeFacts;
}

export interface BillEvent extends EventBase {
  type: 'bill.paid';
  bill: BillFacts;
}

export type CanonicalEvent =
  OrderEvent | CustomerEvent | SettlementEvent | PayoutEvent | DisputeEvent | FeeEvent | BillEvent;
