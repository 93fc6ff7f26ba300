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
    return Money.ofMinor(this.minor + this.sameCurrency(other).minor, this.currency);
  }

  minus(other: Money): Money {
    return Money.ofMinor(this.minor - this.sameCurrency(other).minor, this.currency);
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
      Money.ofMinor(base + (BigInt(index) < rest * step ? step : 0n), this.currency),
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

  /** Decimal text with the currency's decimals: `-12.34`. */
  toString(): string {
    return formatMinor(this.minor, Money.exponentOf(this.currency));
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

/** Whole minor units as decimal text with `exponent` decimals. */
export function formatMinor(minor: bigint, exponent = 2): string {
  const negative = minor < 0n;
  const digits = (negative ? -minor : minor).toString().padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = digits.slice(digits.length - exponent);
  return `${negative ? '-' : ''}${whole}${exponent > 0 ? `.${fraction}` : ''}`;
}
