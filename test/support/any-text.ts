import fc, { type StringConstraints } from 'fast-check';

/**
 * The library's own `unit: 'binary'` makes a map of all 1,114,112 of them, a tenth of a gigabyte that stays in memory for as
 * long as the process.
 */
const codePoint = fc.integer({ min: 0, max: 0x10_ff_ff }).map((code) => String.fromCodePoint(code));

/** Text of any code points, halves of surrogate pairs included. */
export function anyText(constraints: Pick<StringConstraints, 'minLength' | 'maxLength'> = {}) {
  return fc.string({ unit: codePoint, ...constraints });
}
