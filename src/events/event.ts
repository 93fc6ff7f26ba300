import type { Money } from '../kernel/money';

/** The canonical events every source is translated into; rules know no others. */
export const EVENT_TYPES = [
  'order.created',
  'order.paid',
  'order.cancelled',
  'order.refunded',
  'customer.updated',
  'payout.paid',
  'payment.disputed',
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
  /** What the buyer paid, before the gateway's fee. */
  value: Money;
  /** What the gateway keeps of it; absent: the shop does not say. */
  fee?: Money;
  /** Paid with a gift card, store credit or points, so that no account received anything. Absent: it is money. */
  storeCredit?: boolean;
  paidAt: Date;
  /** The evidence that dates it, where the shop does not say when it was made; absent: the shop says. */
  datedBy?: string;
}

export interface RefundFacts {
  /** Business key: `{order key}/refund/{id}`. */
  key: string;
  /** Positive. */
  value: Money;
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
  /** Authoritative, even where lines or payments disagree (see `differences`). */
  total: Money;
  createdAt: Date;
  /** The payload's own last-change time; absent when it has none. */
  updatedAt?: Date;
  cancelledAt?: Date;
  /** Set as soon as the shop calls the order paid. */
  paidAt?: Date;
  /** How many instalments the buyer chose; 1 when the shop does not say. */
  instalments: number;
  /** A test order: stored and visible, posts nothing unless the source says so. */
  test: boolean;
  customer: CustomerFacts;
  /** The payment this event is about; present on `order.paid`. */
  payment?: PaymentFacts;
  refunds: RefundFacts[];
  lines: OrderLine[];
  /**
   * Sentences about what disagrees in the payload, or cannot be read, with amounts; empty when all agrees. A person must
   * look at each, where there is money in the order.
   */
  differences: string[];
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
  state: (typeof DISPUTE_STATES)[number];
  openedAt: Date;
  /** When it was won or lost, as far as the shop says. */
  closedAt?: Date;
  /** Of a gateway's test mode: visible, posts nothing unless the source says so. */
  test: boolean;
}

interface EventBase {
  /** The entity's business key: that of the order, customer, payout or dispute. */
  key: string;
  /** When it happened, by the payload's own clock. */
  occurredAt: Date;
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

export type CanonicalEvent = OrderEvent | CustomerEvent | PayoutEvent | DisputeEvent;

/** What an event is about: the kind of entity, and what is known of it. */
export function subjectOf(
  event:
    | Pick<OrderEvent, 'order'>
    | Pick<CustomerEvent, 'customer'>
    | Pick<PayoutEvent, 'payout'>
    | Pick<DisputeEvent, 'dispute'>,
): ['order', OrderFacts] | ['customer', CustomerFacts] | ['payout', PayoutFacts] | ['dispute', DisputeFacts] {
  if ('order' in event) return ['order', event.order];
  if ('customer' in event) return ['customer', event.customer];
  return 'payout' in event ? ['payout', event.payout] : ['dispute', event.dispute];
}
