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

describe('allocate', () => {
  const brl = (text: string) => Money.parse(text, 'BRL');
  const minorsOf = (parts: readonly Money[]) => parts.map(({ minor }) => minor);

  it.each<[string, string[], string[]]>([
    ['10.00', ['1.00', '1.00', '1.00'], ['3.34', '3.33', '3.33']],
    ['-10.00', ['1.00', '1.00', '1.00'], ['-3.34', '-3.33', '-3.33']],
    // The second loses most by rounding down, the first and the third as much as each other.
    ['1.00', ['1.00', '2.00', '1.00', '2.00'], ['0.17', '0.33', '0.17', '0.33']],
    ['0.01', ['1.00', '3.00', '3.00'], ['0.00', '0.01', '0.00']],
    ['5.00', ['0.00', '2.00', '0.00'], ['0.00', '5.00', '0.00']],
    ['0.00', ['1.00', '2.00'], ['0.00', '0.00']],
    ['7.77', ['0.01'], ['7.77']],
  ])('gives of %s by %p', (amount, weights, expected) => {
    expect(brl(amount).allocate(weights.map(brl)).map(String)).toEqual(expected);
  });

  it('refuses weights that say nothing', () => {
    const by =
      (...weights: string[]) =>
      () =>
        brl('1.00').allocate(weights.map(brl));
    expect(by()).toThrow('there is nothing to allocate the amount to: the list is empty');
    expect(by('0.00', '0.00')).toThrow('there is nothing to allocate the amount by: every weight is zero');
    expect(by('1.00', '-0.01')).toThrow('an amount is allocated by weights of zero or more');
    expect(() => brl('1.00').allocate([brl('1.00'), Money.parse('1.00', 'USD')])).toThrow(MoneyError);
  });

  it('adds up, each part within a unit of its share, and a larger weight never gets less', () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 99_999_999_999_999n }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(amounts, weights, (minor, shares) => {
        const total = shares.reduce((sum, share) => sum + share, 0n);
        fc.pre(total > 0n);
        const given = shares.map((share) => Money.ofMinor(share, 'USD'));
        const parts = minorsOf(Money.ofMinor(minor, 'BRL').allocate(given));
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(minor);
        const size = (part: bigint) => (part < 0n ? -part : part);
        for (const [index, part] of parts.entries()) {
          const share = shares[index] ?? 0n;
          // Exactly: |part| * total lies within one total of |minor| * share.
          expect(size(size(part) * total - size(minor) * share)).toBeLessThan(total);
          if (share === 0n) expect(part).toBe(0n);
          for (const [other, otherShare] of shares.entries())
            if (otherShare < share) expect(size(part)).toBeGreaterThanOrEqual(size(parts[other] ?? 0n));
        }
        expect(minorsOf(Money.ofMinor(-minor, 'BRL').allocate(given))).toEqual(parts.map((part) => -part));
      }),
    );
  });
});

describe('convert', () => {
  it.each<[string, string, string, string, Rounding, string]>([
    ['100.00', 'USD', '5.4321', 'BRL', 'half-up', '543.21'],
    ['0.01', 'USD', '0.5', 'BRL', 'half-up', '0.01'],
    ['0.01', 'USD', '0.5', 'BRL', 'half-even', '0.00'],
    ['0.03', 'USD', '0.5', 'BRL', 'half-even', '0.02'],
    ['-0.01', 'USD', '0.5', 'BRL', 'half-up', '-0.01'],
    ['0.01', 'USD', '0.01', 'BRL', 'up', '0.01'],
    ['9.99', 'USD', '0.999999999999', 'BRL', 'down', '9.98'],
    ['1234', 'JPY', '0.0345', 'BRL', 'half-up', '42.57'],
    ['10.00', 'BRL', '28.9855', 'JPY', 'down', '289'],
    ['1.000', 'KWD', '17.85', 'BRL', 'half-up', '17.85'],
    ['1.00', 'USD', '0001.10', 'BRL', 'half-up', '1.10'],
  ])('%s %s at %s in %s, %s, is %s', (amount, from, rate, to, rounding, expected) => {
    const converted = Money.parse(amount, from).convert(rate, to, rounding);
    expect([converted.toString(), converted.currency]).toEqual([expected, to]);
  });

  it.each(['', '0', '0.000', '-1', '5,43', '1e3', ' 1', '1.', '.5', '1234567890', '1.0000000000001'])(
    'refuses the rate %p',
    (rate) => {
      expect(() => Money.parse('1.00', 'USD').convert(rate, 'BRL', 'down')).toThrow(
        'a rate is decimal text above zero such as "5.4321", with at most nine digits and twelve decimals',
      );
    },
  );

  it('refuses what is out of range', () => {
    expect(() => Money.parse('999999999999.99', 'USD').convert('1.1', 'BRL', 'down')).toThrow(MoneyError);
  });

  it('is exact to the last digit, and the same for both signs', () => {
    const currencies = fc.constantFrom('BRL', 'JPY', 'KWD');
    const small = fc.bigInt({ min: -1_000_000_000n, max: 1_000_000_000n });
    const rates = fc.record({ whole: fc.nat(99), millionths: fc.integer({ min: 1, max: 999_999 }) });
    fc.assert(
      fc.property(
        small,
        rates,
        currencies,
        currencies,
        fc.constantFrom(...ROUNDINGS),
        (minor, rate, from, to, how) => {
          const text = `${rate.whole}.${String(rate.millionths).padStart(6, '0')}`;
          const { minor: converted } = Money.ofMinor(minor, from).convert(text, to, how);
          // In millionths of 10^-3 of both currencies.
          const exponent = (currency: string) => 10n ** BigInt(3 - Money.exponentOf(currency));
          const exact = minor * exponent(from) * (BigInt(rate.whole) * 1_000_000n + BigInt(rate.millionths));
          const unit = 1_000_000n * exponent(to);
          const off = converted * unit - exact;
          const distance = off < 0n ? -off : off;
          if (how === 'half-up' || how === 'half-even') expect(distance * 2n).toBeLessThanOrEqual(unit);
          else expect(distance).toBeLessThan(unit);
          const isAway = exact < 0n ? off < 0n : off > 0n;
          if (how === 'up') expect(off === 0n || isAway).toBe(true);
          if (how === 'down') expect(off === 0n || !isAway).toBe(true);
          expect(Money.ofMinor(-minor, from).convert(text, to, how).minor).toBe(-converted);
        },
      ),
    );
  });
});
