/**
 * What happened in an accountant's month, as its own list: what shops, gateways and the bank would attest. The books are
 * compared with it. Amounts are whole cents; times are ISO 8601 with the offset -03:00, so that they compare as text.
 */

export const SHOPS = ['shopify', 'woocommerce', 'standard'] as const;
export type Shop = (typeof SHOPS)[number];

export interface Buyer {
  readonly id: number;
  readonly name: string;
  readonly document: string;
  readonly email: string;
}

/** One instalment that the acquirer pays. */
export interface PlannedPart {
  readonly number: number;
  readonly cents: bigint;
  readonly fee: bigint;
  /** A day: `2026-03-17`. */
  readonly on: string;
}

export interface Payment {
  readonly id: string;
  readonly gateway: string;
  readonly method: string;
  readonly cents: bigint;
  /** What the gateway keeps; zero where the shop does not say. */
  readonly fee: bigint;
  readonly at: string;
  /** A gift card: no account receives it. */
  readonly isCredit?: true;
  /** Absent: the gateway pays it out as a whole. */
  readonly plan?: readonly PlannedPart[];
}

export interface Refund {
  readonly id: string;
  readonly gateway: string;
  readonly cents: bigint;
  readonly at: string;
}

export interface Edit {
  readonly id: string;
  /** What the total changed by. */
  readonly cents: bigint;
  readonly at: string;
}

export interface Dispute {
  readonly id: number;
  readonly gateway: string;
  readonly cents: bigint;
  readonly openedAt: string;
  readonly closedAt: string;
  readonly isWon: boolean;
}

export interface Charge {
  readonly id: string;
  readonly gateway: string;
  readonly method: string;
  /** A day. */
  readonly dueOn: string;
}

export interface Order {
  readonly shop: Shop;
  readonly kind: string;
  readonly id: number;
  readonly number: number;
  readonly buyer: Buyer;
  /** What it came to when it was placed. */
  readonly cents: bigint;
  readonly placedAt: string;
  readonly instalments: number;
  readonly charge?: Charge;
  readonly payments: readonly Payment[];
  readonly edits: readonly Edit[];
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  readonly cancelledAt?: string;
  readonly expiredAt?: string;
  /** What a marketplace keeps. */
  readonly commission?: bigint;
}

export interface PayoutLine {
  readonly kind: 'payment' | 'refund' | 'dispute' | 'fee' | 'adjustment';
  readonly cents: bigint;
}

export interface Payout {
  readonly id: string;
  readonly gateway: string;
  readonly cents: bigint;
  readonly at: string;
  readonly lines: readonly PayoutLine[];
}

/** A supplier's bill, paid from the bank. */
export interface Bill {
  readonly id: string;
  readonly supplier: string;
  readonly cents: bigint;
  readonly at: string;
}

export interface Month {
  readonly orders: readonly Order[];
  readonly payouts: readonly Payout[];
  readonly bills: readonly Bill[];
}

export function sum(cents: readonly bigint[]): bigint {
  return cents.reduce((total, one) => total + one, 0n);
}

/** Decimal text: `-12.34`. */
export function decimal(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The business key that Ponte gives the order. */
export function keyOf({ shop, id }: Pick<Order, 'shop' | 'id'>): string {
  return `${shop}/order/${id}`;
}
