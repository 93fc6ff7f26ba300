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
