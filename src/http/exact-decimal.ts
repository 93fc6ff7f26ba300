const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
/** Beyond this many digits no amount or count is in range anyway. */
const MAX_DIGITS = 36;

/**
 * A JSON number's text as plain decimal text with the same exact value: `1.25e2` is `125`. Zeros that add
 * nothing are left out.
 * @returns undefined when it is no number, or has more digits than anything Ponte stores
 */
export function exactDecimal(text: string): string | undefined {
  const match = NUMBER.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits.replace(/0+$/, '') === '') return '0';
  const scale = fraction.length - Number(exponent);
  if (digits.length > MAX_DIGITS * 2 || Math.abs(scale) > MAX_DIGITS * 2) return undefined;
  const padded = scale < 0 ? digits + '0'.repeat(-scale) : digits.padStart(scale + 1, '0');
  const point = padded.length - Math.max(scale, 0);
  const decimals = padded.slice(point).replace(/0+$/, '');
  const plain = `${sign}${padded.slice(0, point)}${decimals ? `.${decimals}` : ''}`;
  return plain.length > MAX_DIGITS ? undefined : plain;
}
