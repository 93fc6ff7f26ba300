import { MOST_LINES } from '../../events/limits';
import { earliest, latest } from '../mapping/order-events';
import type { Payload } from '../payload';

/** One entry of an order's `payments_history`. */
interface Entry {
  /** Of a transaction; undefined: of the order. */
  readonly transaction: string | undefined;
  readonly status: string;
  readonly at: Date | undefined;
}

/** What was when said of the payment of an order. */
export class History {
  private readonly entries: Entry[];
  private readonly transactions: number;

  constructor(order: Payload, zone: string) {
    this.entries = order.firstItems('payments_history', MOST_LINES).map((entry) => ({
      transaction: entry.textIfAny('transaction_id'),
      status: entry.textIfAny('status') ?? '',
      at: entry.instant('date_time', zone),
    }));
    this.transactions = order.countOf('transactions');
  }

  /** When a transaction first had the status; undefined: never, or it is not said when. */
  first(transaction: string | undefined, status: string): Date | undefined {
    return earliest(this.timesOf(transaction, status));
  }

  /** When a transaction last came to the status. */
  last(transaction: string | undefined, status: string): Date | undefined {
    return latest(this.timesOf(transaction, status));
  }

  /** What names no transaction is of the one that there is. */
  private timesOf(transaction: string | undefined, status: string): (Date | undefined)[] {
    const isOf = (entry: Entry): boolean =>
      entry.transaction === undefined ? this.transactions <= 1 : entry.transaction === transaction;
    return this.entries.filter((entry) => entry.status === status && isOf(entry)).map(({ at }) => at);
  }
}
