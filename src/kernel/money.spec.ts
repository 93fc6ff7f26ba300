import fc from 'fast-check';
import { Money, MoneyError } from './money';

const amounts = fc.bigInt({ min: -99_999_999_999_999n, max: 99_999_999_999_999n });

describe('Money', () => {
  it.each([
    ['12', 1200n],
    ['12.3', 1230n],
    ['-0.01', -1n],
    ['12.3400', 1234n],
    ['999999999999.99', 99_999_999_999_999n],
  ])('reads %s exactly', (text, minor) => {
    expect(Money.parse(text, 'BRL').minor).toBe(minor);
  });

  it.each(['', '1,50', '1e3', 'NaN', '0x10', '1.005', '1000000000000.00', '--1', '.5', '5.'])(
    'refuses %p',
    (text) => {
      expect(() => Money.parse(text, 'BRL')).toThrow(MoneyError);
    },
  );

  it('knows the decimals of a currency', () => {
    expect(Money.parse('150', 'JPY').minor).toBe(150n);
    expect(() => Money.parse('150.5', 'JPY')).toThrow(MoneyError);
    expect(Money.parse('1.234', 'KWD').toString()).toBe('1.234');
  });

  it('does not mix currencies', () => {
    expect(() => Money.parse('1', 'BRL').plus(Money.parse('1', 'USD'))).toThrow(MoneyError);
  });

  it('puts the odd cents on the first parts', () => {
    expect(Money.parse('100.00', 'BRL').split(3).map(String)).toEqual(['33.34', '33.33', '33.33']);
  });

  it('prints what it reads back', () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom('BRL', 'JPY', 'KWD'), (minor, currency) => {
        const money = Money.ofMinor(minor, currency);
        expect(Money.parse(money.toString(), currency).minor).toBe(minor);
      }),
    );
  });

  it('loses no cent when it splits', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 120 }), (minor, parts) => {
        const split = Money.ofMinor(minor, 'BRL').split(parts);
        expect(split).toHaveLength(parts);
        expect(split.reduce((sum, part) => sum + part.minor, 0n)).toBe(minor);
        const sizes = split.map((part) => part.minor);
        const [first = 0n, last = 0n] = [sizes[0], sizes.at(-1)];
        expect(first - last).toBeLessThanOrEqual(1n);
        expect(first - last).toBeGreaterThanOrEqual(-1n);
      }),
    );
  });
});
