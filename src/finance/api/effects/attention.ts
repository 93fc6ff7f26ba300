export const ATTENTION_CODES = [
  'payment-left-over',
  'amount-differs',
  'refund-not-booked',
  'cancellation-not-booked',
  'payout-not-booked',
  'dispute-not-booked',
  'store-credit-not-booked',
  'order-differs',
  'key-shared',
  'customer-differs',
  'content-differs',
] as const;

/** Something a person must look at although nothing failed: money left over, an amount that changed. */
export interface Attention {
  code: (typeof ATTENTION_CODES)[number];
  /** A sentence for a person, with amounts. */
  detail: string;
  /** Decimal text of the amount in question. */
  amount: string;
  /** Absent: the organization's. */
  currency?: string;
}
