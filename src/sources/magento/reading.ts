import type { Money } from '../../kernel/money';
import type { Payload } from '../payload';
import type { Denomination } from './amounts';

/** States of an order of which nothing is invoiced yet, unless its totals say otherwise. */
export const WAITING: readonly string[] = ['new', 'pending_payment'];

/** An order as its money is read from it. */
export interface Reading {
  readonly order: Payload;
  /** Its business key. */
  readonly key: string;
  /** What it came to, with the part that credits paid. */
  readonly total: Money;
  readonly denomination: Denomination;
  /** `new`, `pending_payment`, `processing`, `complete`, `closed`, `canceled`, `holded`, `payment_review`. */
  readonly state: string;
  /** `total_paid`, in money; undefined: nothing is. */
  readonly paid: Money | undefined;
  readonly createdAt: Date;
  readonly changedAt: Date;
}
