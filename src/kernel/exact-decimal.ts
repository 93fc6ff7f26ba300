const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
/** Digits before the point, and digits after it: more than anything Ponte stores has. */
const MAX_DIGITS = 18;
/** Longer texts are refused unread: the work grows faster than they do, and nothing but zeros makes them so long. */
const MAX_LENGTH = 100;

/**
 * A JSON number's text as plain decimal text with the same exact value: `1.25e2` is `125`. Zeros that add
 * nothing are left out.
 * @returns undefined when it is no number, has more than 18 digits before or after the point, or is longer than
 *   100 characters
 */
export function exactDecimal(text: string): string | undefined {
  const match = text.length > MAX_LENGTH ? null : NUMBER.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return '0';
  // The power of ten of the last digit that is kept.
  const dropped = /0*$/.exec(whole + fraction)?.[0].length ?? 0;
  const power = Number(exponent) - fraction.length + dropped;
  if (power < -MAX_DIGITS || digits.length + power > MAX_DIGITS) return undefined;
  const padded = (power > 0 ? digits + '0'.repeat(power) : digits).padStart(1 - power, '0');
  const point = padded.length + Math.min(power, 0);
  return `${sign}${padded.slice(0, point)}${power < 0 ? `.${padded.slice(point)}` : ''}`;
}

/** Beyond it doubles are too coarse for what adding them up leaves behind to be told from an amount. */
const MOST_RECKONED = 1e12;

/**
 * An amount of somebody who reckons in doubles, as plain decimal text: what is less than half a hundredth of the smallest
 * unit away from a whole number of them is that, so that 66.72999999999999 is 66.73. Anything else is its exact value.
 * @param value a number, or the text of one
 * @param places decimals of the smallest unit
 * @returns undefined when it is no number; see {@link exactDecimal}
 */
export function reckonedDecimal(value: unknown, places: number): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value);
  const exact = exactDecimal(text);
  const isFine = exact !== undefined && (exact.split('.')[1]?.length ?? 0) <= places;
  if (isFine || !NUMBER.test(text) || !(Math.abs(Number(text)) < MOST_RECKONED)) return exact;
  const [whole = '', fraction = ''] = Number(text)
    .toFixed(places + 2)
    .split('.');
  return fraction.endsWith('00') ? exactDecimal(`${whole}.${fraction}`) : exact;
}
