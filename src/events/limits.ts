/** How much one event has at most, far beyond real orders. */

export const MOST_LINES = 2_000;
export const MOST_REFUNDS = 500;
export const MOST_PAYMENTS = 100;
export const MOST_EDITS = 100;
/** Characters of a gateway's name. */
export const LONGEST_GATEWAY = 200;
/** Characters of an order's number that it is found by. */
export const LONGEST_ORDER_NUMBER = 60;
/** Parts that an order is agreed to be paid in. */
export const MOST_TERMS = 120;
/** Instalments of one payment, as any card allows. */
export const MOST_SETTLEMENTS = 120;
export const MOST_PAYOUT_LINES = 2_000;
