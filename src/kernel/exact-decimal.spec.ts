import fc from 'fast-check';
import { exactDecimal } from './exact-decimal';

describe('exactDecimal', () => {
  it.each([
    ['0', '0'],
    ['-0.00', '0'],
    ['12.3400', '12.34'],
    ['1e2', '100'],
    ['1.25E+1', '12.5'],
    ['125e-2', '1.25'],
    ['-5e-3', '-0.005'],
    ['0.1e1', '1'],
  ])('reads %s as %s', (text, plain) => expect(exactDecimal(text)).toBe(plain));

  it.each([
    '',
    'NaN',
    '1e',
    '0x10',
    '1e99999',
    '1e400',
    '1e-400',
    '9'.repeat(200),
    ' 1',
    `1.${'0'.repeat(99)}`,
  ])('takes no %j', (text) => expect(exactDecimal(text)).toBeUndefined());

  it('gives every spelling of a number the same text, and that text back for itself', () => {
    const digits = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
    fc.assert(
      fc.property(
        digits,
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: -4, max: 4 }),
        (value, scale, shift) => {
          const magnitude = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
          const sign = value < 0n ? '-' : '';
          const plain = exactDecimal(`${value}e${-scale}`);
          const point = magnitude.length - scale;
          const written = `${sign}${magnitude.slice(0, point)}.${magnitude.slice(point)}0`;
          expect(exactDecimal(written)).toBe(plain);
          expect(exactDecimal(`${value}${'0'.repeat(4 + shift)}e${-scale - 4 - shift}`)).toBe(plain);
          expect(exactDecimal(plain ?? '')).toBe(plain);
          expect(Number(plain)).toBe(Number(written));
        },
      ),
    );
  });
});
