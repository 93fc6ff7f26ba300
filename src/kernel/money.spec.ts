import fc from 'fast-check';
import { Money, MoneyError, type Rounding, ROUNDINGS } from './money';

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

describe('percent', () => {
  const brl = (text: string): Money => Money.parse(text, 'BRL');

  it.each<[string, string, Rounding, string]>([
    ['100.00', '4.99', 'half-up', '4.99'],
    ['100.10', '4.99', 'half-even', '4.99'],
    ['100.10', '4.99', 'up', '5.00'],
    ['0.50', '1', 'half-up', '0.01'],
    ['0.50', '1', 'half-even', '0.00'],
    ['1.50', '1', 'half-even', '0.02'],
    ['0.49', '1', 'half-up', '0.00'],
    ['0.01', '0.000001', 'up', '0.01'],
    ['0.99', '100', 'down', '0.99'],
    ['-0.50', '1', 'half-up', '-0.01'],
    ['-0.51', '1', 'down', '0.00'],
    ['10.00', '1000', 'down', '100.00'],
  ])('of %s, %s %% by %s is %s', (amount, rate, rounding, expected) => {
    expect(brl(amount).percent(rate, rounding).toString()).toBe(expected);
  });

  it.each(['', '-1', '1001', '1,5', '1.0000001', '1e2', ' 1', '00001'])('is none of %j', (rate) => {
    expect(() => brl('1.00').percent(rate, 'down')).toThrow(MoneyError);
  });

  it('is never more than a unit off, and the same with the sign turned', () => {
    const rates = fc.bigInt({ min: 0n, max: 1_000_000_000n });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 11n }),
        rates,
        fc.constantFrom(...ROUNDINGS),
        (minor, millionths, rounding) => {
          const digits = millionths.toString().padStart(7, '0');
          const rate = `${digits.slice(0, -6)}.${digits.slice(-6)}`;
          const part = Money.ofMinor(minor, 'BRL').percent(rate, rounding);
          const off = part.minor * 100_000_000n - minor * millionths;
          expect(off < 100_000_000n && off > -100_000_000n).toBe(true);
          expect(Money.ofMinor(-minor, 'BRL').percent(rate, rounding).equals(part.negated())).toBe(true);
        },
      ),
    );
  });
});
