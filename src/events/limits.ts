/** How much one event has at most, far beyond real orders. */

export const MOST_LINES = 2_000;
export const MOST_REFUNDS = 500;
