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
