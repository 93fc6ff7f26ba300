import type { Money } from '../../kernel/money';
import { amountOfUnits } from '../mapping/minor-units';
import { moneyOr, shown, sumOf, sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';

/** Zone of times: Pagar.me has them in UTC, and may leave that out. */
export const ZONE = 'UTC';

/** Statuses of an operation that gave money back, or let it go before it was settled. */
const RETURNED = ['refunded', 'partial_refunded', 'voided', 'partial_void'];

/** Money that an operation gave back. */
export interface Refunded {
  /** Of the operation. */
  readonly id: string;
  readonly value: Money;
  readonly at: Date;
}

/** What an operation gave back; undefined where it is none that did. */
export function returnedWith(operation: Payload, currency: string): Money | undefined {
  if (!RETURNED.includes(operation.word('status') ?? '')) return undefined;
  if (operation.has('success') && !operation.flag('success')) return undefined;
  const value = amountOfUnits(operation, 'amount', currency);
  return value?.isPositive ? value : undefined;
}

/** The sum of some amounts of one currency; undefined where there are none, or they are out of range. */
export function moneySum(values: readonly Money[]): Money | undefined {
  const [first] = values;
  return first && moneyOr(sumOf(values.map(({ minor }) => minor)), first.currency, () => undefined);
}

/**
 * What went back of a charge, each operation for itself. The charge says the sum, and its last operation; where that is not
 * all of it, the list of operations has to say the rest. Where it does not, nothing of it is taken.
 * @param operations of the charge, where they were asked for
 * @throws UnreadablePayload
 */
export function refundsOf(
  charge: Payload,
  operations: readonly Payload[] | undefined,
  canceled: Money,
): { refunds: Refunded[]; differences: string[] } {
  const { currency } = canceled;
  const read = (places: readonly Payload[]): Refunded[] =>
    places.flatMap((place) => {
      const value = returnedWith(place, currency);
      if (value === undefined) return [];
      const at = place.instant('created_at', ZONE) ?? charge.instant('canceled_at', ZONE);
      const id = place.identifier('id') ?? place.missing('id');
      return [{ id, value, at: at ?? place.missing('created_at') }];
    });
  const last = read([charge.at('last_transaction')]);
  if (last[0]?.value.equals(canceled)) return { refunds: last, differences: [] };
  const all = read(operations ?? []);
  const isAll = new Set(all.map(({ id }) => id)).size === all.length;
  if (isAll && moneySum(all.map(({ value }) => value))?.equals(canceled))
    return { refunds: all, differences: [] };
  const id = charge.identifier('id') ?? charge.missing('id');
  return {
    refunds: [],
    differences: [
      `${canceled.withCurrency()} went back of charge ${id}, but its operations come to ${shown(sumOfValues(all), currency)}: book what went back by hand.`,
    ],
  };
}
