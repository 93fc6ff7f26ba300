import type { EditFacts } from '../../events/event';
import { MOST_EDITS } from '../../events/limits';
import { Money } from '../../kernel/money';
import { isIdentifier } from '../identity';
import { editKey } from '../mapping/keys';
import { latest, type PaymentDate, sinceOwed } from '../mapping/order-events';
import { moneyOr, shown, sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import type { Share } from './listed-payments';
import { amountOf } from './units';

/** The entry of `totals` with the sum of all changes. */
export const CHANGE = 'Change';

/** How an order was changed after it was made. */
export interface Changes {
  /** What it cost before. */
  readonly total: Money;
  readonly edits: EditFacts[];
  readonly differences: string[];
}

/**
 * An order's value is what it costs now. Where its changes come to what its totals say of them, each is an edit and the
 * total is what it cost before; else the value is the total, and a sentence says so.
 * @param change in minor units, as the totals have it; undefined: they do not have it
 * @throws UnreadablePayload
 */
export function changesOf(
  order: Payload,
  orderKey: string,
  value: Money,
  change: bigint | undefined,
  zone: string,
): Changes {
  const edits = order
    .loosely('changesAttachment')
    .items('changesData', MOST_EDITS)
    .flatMap((one) => editOf(one, orderKey, value.currency, zone));
  const known = edits.flatMap((edit) => edit ?? []);
  const sum = sumOfValues(known);
  const before = value.minor - sum;
  const isWhole = known.length === edits.length && sum === (change ?? 0n) && before >= 0n;
  if (edits.length === 0 && !change) return { total: value, edits: [], differences: [] };
  return isWhole
    ? { ...sinceOwed(Money.ofMinor(before, value.currency), known), differences: [] }
    : { total: value, edits: [], differences: [unclear(value)] };
}

function unclear(value: Money): string {
  return `The order was changed after it was made, and its changes do not come to what its totals say of them: ${value.toString()} ${value.currency} is taken for what it costs.`;
}

/** None where it changed nothing; undefined where it cannot be read. */
function editOf(
  change: Payload,
  orderKey: string,
  currency: string,
  zone: string,
): (EditFacts | undefined)[] {
  const more = amountOf(change, 'incrementValue', currency)?.minor ?? 0n;
  const less = amountOf(change, 'discountValue', currency)?.minor ?? 0n;
  if (more === less) return [];
  const receipt = change.loosely('receipt');
  const id = receipt.textIfAny('receipt') ?? '';
  const editedAt = receipt.instant('date', zone);
  if (!isIdentifier(id) || editedAt === undefined) return [undefined];
  const value = moneyOr(more - less, currency, () => undefined);
  return [value && { key: editKey(orderKey, id), value, editedAt }];
}

/**
 * When each payment of an order was made. VTEX has one time of approval for all of them: a payment without which the others
 * come to what the order cost before it became dearer is of the change.
 * @param approved when VTEX approved the payment
 */
export function paymentDates(
  shares: readonly Share[],
  { total, edits }: Changes,
  approved: PaymentDate,
): (share: Share) => PaymentDate {
  const sum = sumOfValues(shares);
  const editedAt = latest(edits.filter(({ value }) => value.minor > 0n).map((edit) => edit.editedAt));
  if (editedAt === undefined || editedAt <= approved.paidAt) return () => approved;
  const added = shares.findLast(({ value }) => sum - value.minor === total.minor);
  return (share) => (share === added ? { paidAt: editedAt, datedBy: 'changesAttachment' } : approved);
}

/** A sentence about an order that became cheaper after it was paid, of which nothing says what became of the money. */
export function changeDifferences(edits: readonly EditFacts[], paidAt: Date, currency: string): string[] {
  const later = edits.filter(({ editedAt }) => editedAt > paidAt);
  const less = later.reduce((sum, { value }) => sum - value.minor, 0n);
  if (less <= 0n) return [];
  return [
    `The order became ${shown(less, currency)} cheaper after it was paid. VTEX does not say whether so much went back, or was never captured: enter what did not come.`,
  ];
}
