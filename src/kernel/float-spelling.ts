/** Digits by which a float (IEEE 754, binary64) is told from every other, less a last zero that its printer left out. */
const DIGITS_OF_A_FLOAT = 16;
/** Decimals of the longest spelling that is read: PHP can be told to print a hundred digits. */
const DECIMAL = /^-?\d{1,15}\.\d{1,100}$/;

/**
 * The shortest spelling of a number that was printed with all the digits of its float, as older PHP does: `29.949999999999999`
 * is the float `29.95`, and no other amount of cents is. Nothing is rounded: `89.99000000000001` is another float than
 * `89.99`, and stays as it is, as every number does that has fewer digits.
 * @param digits of a JSON number
 */
export function shortestSpelling(digits: string): string {
  if (digits.length <= DIGITS_OF_A_FLOAT) return digits;
  const significant = digits.replace(/^-?[0.]*/, '').replace('.', '');
  return DECIMAL.test(digits) && significant.length >= DIGITS_OF_A_FLOAT ? String(Number(digits)) : digits;
}
