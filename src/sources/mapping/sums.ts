import type { RefundFacts } from '../../events/event';
import { amountText, Money, MoneyError } from '../../kernel/money';

/** In minor units, for a sum may be more than {@link Money} takes. */
export function sumOf(minor: readonly bigint[]): bigint {
  return minor.reduce((sum, part) => sum + part, 0n);
}

/** What values of one currency come to, in minor units. */
export function sumOfValues(items: readonly { readonly value: Money }[]): bigint {
  return sumOf(items.map(({ value }) => value.minor));
}

/** Minor units as a sentence has them: `12.34 BRL`. */
export function shown(minor: bigint, currency: string): string {
  return `${amountText(minor, currency)} ${currency}`;
}

/** So many minor units; what `otherwise` says where that is more or less than is taken. */
export function moneyOr<T>(minor: bigint, currency: string, otherwise: (error: MoneyError) => T): Money | T {
  try {
    return Money.ofMinor(minor, currency);
  } catch (error) {
    if (error instanceof MoneyError) return otherwise(error);
    throw error;
  }
}

/**
 * A sentence about refunds of an order that nothing in its payload calls paid: money cannot go back that never came.
 * @param refunds all in one currency
 */
export function refundDifferences(refunds: readonly RefundFacts[], isPaid: boolean): string[] {
  const currency = refunds[0]?.value.currency;
  if (isPaid || currency === undefined) return [];
  return [
    `${shown(sumOfValues(refunds), currency)} went back, but nothing says that the order was paid in full.`,
  ];
}
