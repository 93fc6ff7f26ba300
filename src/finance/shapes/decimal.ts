const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Beyond this an exponent cannot belong to an amount of money. */
const MAX_EXPONENT = 30;

/**
 * The digits of a JSON number without its exponent, exactly: `1.23456789E7` (as Java writes) is `12345678.9`.
 * Zeros that say nothing are left out. Undefined when the text is no number or its exponent is out of range.
 */
export function plainDecimal(text: string): string | undefined {
  const match = NUMBER.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const exponent = Number(power);
  if (Math.abs(exponent) > MAX_EXPONENT || whole.length + fraction.length > 60) return undefined;
  const point = whole.length + exponent;
  const digits = (whole + fraction).padStart(whole.length + fraction.length + Math.max(0, -point), '0');
  const at = Math.max(0, point);
  const left = digits.slice(0, at).padEnd(at, '0').replace(/^0+(?=\d)/, '');
  const right = digits.slice(at).replace(/0+$/, '');
  return `${sign}${left || '0'}${right ? `.${right}` : ''}`;
}
