/**
 * Exact money: a whole number of minor units (cents for BRL) and an ISO 4217 currency code.
 * It is never a float; what does not fit exactly is refused, never rounded.
 */

/** Currencies whose minor unit is not a hundredth (ISO 4217). Every other code has two decimals. */
const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ...withDecimals(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'),
  ...withDecimals(3, 'BHD IQD JOD KWD LYD OMR TND'),
]);

function withDecimals(decimals: number, codes: string): [string, number][] {
  return codes.split(' ').map((code) => [code, decimals]);
}

/** 999,999,999,999.99 in a currency of two decimals: the largest amount taken anywhere. */
export const MAX_MINOR = 99_999_999_999_999n;

const DECIMAL = /^([+-]?)(\d{1,18})(?:\.(\d{1,18}))?$/;

/** The text is no amount, is too precise for its currency, or is out of range. */
export class MoneyError extends Error {
  override readonly name = 'MoneyError';
}

/** Two amounts are in different currencies. */
export class CurrencyMismatch extends MoneyError {
  constructor(readonly currencies: readonly [string, string]) {
    super(`${currencies.join(' and ')} cannot be combined`);
  }
}

/** To which minor unit an amount between two is rounded: `half-up` and `up` go away from zero, `down` towards it. */
export const ROUNDINGS = ['half-up', 'half-even', 'up', 'down'] as const;
export type Rounding = (typeof ROUNDINGS)[number];

const RATE = /^(\d{1,4})(?:\.(\d{1,6}))?$/;
const HUNDRED_MILLION = 100_000_000n;
/** A thousand percent, in millionths of one. */
const LARGEST_RATE = 1_000_000_000n;

const EXCHANGE_RATE = /^(\d{1,9})(?:\.(\d{1,12}))?$/;

/** A factor of so many units of a power of ten. */
interface Scaled {
  readonly units: bigint;
  readonly scale: bigint;
}

/** @param divisor above zero */
function rounded(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const [quotient, rest] = [dividend / divisor, dividend % divisor];
  const away = dividend < 0n ? quotient - 1n : quotient + 1n;
  const twice = 2n * (rest < 0n ? -rest : rest);
  if (rest === 0n || rounding === 'down') return quotient;
  if (rounding === 'up' || twice > divisor) return away;
  if (twice < divisor) return quotient;
  return rounding === 'half-up' || quotient % 2n !== 0n ? away : quotient;
}

function exchangeRate(text: string): Scaled {
  const [, whole, fraction = ''] = EXCHANGE_RATE.exec(text) ?? [];
  const units = whole === undefined ? 0n : BigInt(whole + fraction);
  if (units === 0n)
    throw new MoneyError(
      'a rate is decimal text above zero such as "5.4321", with at most nine digits and twelve decimals',
    );
  return { units, scale: 10n ** BigInt(fraction.length) };
}

export class Money {
  private constructor(
    /** Whole minor units, signed: 1234n is 12.34 in BRL. */
    readonly minor: bigint,
    /** ISO 4217 code in upper case. */
    readonly currency: string,
  ) {}

  /** Decimals of the currency's minor unit: 2 for BRL, 0 for JPY, 3 for KWD. */
  static exponentOf(currency: string): number {
    return EXPONENTS.get(currency) ?? 2;
  }

  /**
   * From whole minor units.
   * @throws MoneyError when out of range or the currency is not three letters.
   */
  static ofMinor(minor: bigint, currency: string): Money {
    const code = currency.toUpperCase();
    if (!/^[A-Z]{3}$/.test(code)) throw new MoneyError('currency is not an ISO 4217 code');
    return Money.within(minor, code);
  }

  /** @param code a currency that is known to be one */
  private static within(minor: bigint, code: string): Money {
    if (minor > MAX_MINOR || minor < -MAX_MINOR) throw new MoneyError('amount is out of range');
    return new Money(minor, code);
  }

  static zero(currency: string): Money {
    return Money.ofMinor(0n, currency);
  }

  /**
   * From decimal text such as `12`, `12.3`, `-12.3400`. Zeros beyond the currency's decimals are taken,
   * any other digit there is not.
   * @throws MoneyError when the text is no plain decimal number or does not fit exactly.
   */
  static parse(text: string, currency: string): Money {
    const match = DECIMAL.exec(text.trim());
    if (!match) throw new MoneyError('not a decimal amount');
    const [, sign, whole = '', fraction = ''] = match;
    const exponent = Money.exponentOf(currency.toUpperCase());
    if (fraction.length > exponent && /[^0]/.test(fraction.slice(exponent))) {
      throw new MoneyError(`more than ${exponent} decimals for ${currency.toUpperCase()}`);
    }
    const digits = BigInt(whole + fraction.slice(0, exponent).padEnd(exponent, '0'));
    return Money.ofMinor(sign === '-' ? -digits : digits, currency);
  }

  plus(other: Money): Money {
    return Money.within(this.minor + this.sameCurrency(other).minor, this.currency);
  }

  minus(other: Money): Money {
    return Money.within(this.minor - this.sameCurrency(other).minor, this.currency);
  }

  negated(): Money {
    return new Money(-this.minor, this.currency);
  }

  /** Negative, zero or positive, like a comparator. */
  compare(other: Money): number {
    const { minor } = this.sameCurrency(other);
    return this.minor < minor ? -1 : this.minor > minor ? 1 : 0;
  }

  equals(other: Money): boolean {
    return this.currency === other.currency && this.minor === other.minor;
  }

  get isZero(): boolean {
    return this.minor === 0n;
  }

  get isPositive(): boolean {
    return this.minor > 0n;
  }

  get isNegative(): boolean {
    return this.minor < 0n;
  }

  /**
   * Splits into `parts` amounts that differ by at most one minor unit and add up exactly; the larger ones
   * come first: 100.00 in 3 is 33.34, 33.33, 33.33.
   * @throws MoneyError when `parts` is not a whole number from 1 to 1000.
   */
  split(parts: number): Money[] {
    if (!Number.isInteger(parts) || parts < 1 || parts > 1000)
      throw new MoneyError('parts must be 1 to 1000');
    const count = BigInt(parts);
    const base = this.minor / count;
    const rest = this.minor % count;
    const step = rest < 0n ? -1n : 1n;
    return Array.from({ length: parts }, (_, index) =>
      Money.within(base + (BigInt(index) < rest * step ? step : 0n), this.currency),
    );
  }

  /**
   * So many percent of the amount, rounded to the minor unit: 4.99 % of 100.10 is 4.99 by `half-even` and 5.00 by `up`.
   * @param rate decimal text from 0 to 1000 with at most six decimals
   * @throws MoneyError when the rate is none
   */
  percent(rate: string, rounding: Rounding): Money {
    const [, whole, fraction = ''] = RATE.exec(rate) ?? [];
    const millionths = whole === undefined ? undefined : BigInt(whole + fraction.padEnd(6, '0'));
    if (millionths === undefined || millionths > LARGEST_RATE)
      throw new MoneyError('a percentage is 0 to 1000 with at most six decimals');
    const exact = this.minor * millionths;
    return Money.ofMinor(rounded(exact, HUNDRED_MILLION, rounding), this.currency);
  }

  /**
   * Splits into one amount for each weight, in proportion and adding up exactly. Each is rounded towards zero, and the units
   * left over go one each to those that lost most by that, the first of equal ones first: 10.00 by 1, 1, 1 is 3.34, 3.33,
   * 3.33. A weight of zero gets nothing. The weights may be in another currency than the amount.
   * @throws MoneyError when there is no weight, one is below zero, or all are zero
   * @throws CurrencyMismatch when the weights are in several currencies
   */
  allocate(weights: readonly Money[]): Money[] {
    const [first] = weights;
    if (first === undefined)
      throw new MoneyError('there is nothing to allocate the amount to: the list is empty');
    const shares = weights.map((weight) => first.sameCurrency(weight).minor);
    if (shares.some((share) => share < 0n))
      throw new MoneyError('an amount is allocated by weights of zero or more');
    const total = shares.reduce((sum, share) => sum + share, 0n);
    if (total === 0n)
      throw new MoneyError('there is nothing to allocate the amount by: every weight is zero');
    const size = this.minor < 0n ? -this.minor : this.minor;
    const parts = shares.map((share) => (size * share) / total);
    const left = size - parts.reduce((sum, part) => sum + part, 0n);
    const byLoss = shares
      .map((share, index) => ({ index, loss: (size * share) % total }))
      .sort((one, other) =>
        one.loss === other.loss ? one.index - other.index : one.loss < other.loss ? 1 : -1,
      );
    // Fewer units are left than there are weights that lost something.
    const more = new Set(byLoss.slice(0, Number(left)).map(({ index }) => index));
    return parts.map((part, index) => {
      const units = more.has(index) ? part + 1n : part;
      return Money.ofMinor(this.minor < 0n ? -units : units, this.currency);
    });
  }

  /**
   * The amount in another currency, rounded to its minor unit: 100.00 USD at 5.4321 is 543.21 BRL.
   * @param rate decimal text: what one of this currency is in the other; above zero, at most nine digits and twelve decimals
   * @param currency ISO 4217
   * @throws MoneyError when the rate is none, or the outcome is out of range
   */
  convert(rate: string, currency: string, rounding: Rounding): Money {
    const { units, scale } = exchangeRate(rate);
    const dividend = this.minor * units * 10n ** BigInt(Money.exponentOf(currency));
    const divisor = scale * 10n ** BigInt(Money.exponentOf(this.currency));
    return Money.ofMinor(rounded(dividend, divisor, rounding), currency);
  }

  /** Decimal text with the currency's decimals: `-12.34`. */
  toString(): string {
    return formatMinor(this.minor, Money.exponentOf(this.currency));
  }

  /** As people read it: `-12.34 BRL`. */
  withCurrency(): string {
    return `${this.toString()} ${this.currency}`;
  }

  toJSON(): { value: string; currency: string } {
    return { value: this.toString(), currency: this.currency };
  }

  private sameCurrency(other: Money): Money {
    if (other.currency !== this.currency) {
      throw new CurrencyMismatch([this.currency, other.currency]);
    }
    return other;
  }
}

/** Whole minor units as decimal text, with the decimals of a currency. A sum may be larger than any one {@link Money}. */
export function amountText(minor: bigint, currency: string): string {
  return formatMinor(minor, Money.exponentOf(currency));
}

/** Whole minor units as decimal text with `exponent` decimals. */
export function formatMinor(minor: bigint, exponent = 2): string {
  const negative = minor < 0n;
  const digits = (negative ? -minor : minor).toString().padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = digits.slice(digits.length - exponent);
  return `${negative ? '-' : ''}${whole}${exponent > 0 ? `.${fraction}` : ''}`;
}
