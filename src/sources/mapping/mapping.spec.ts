import fc from 'fast-check';
import { Money } from '../../kernel/money';
import { Payload } from '../payload';
import { chooseDocument, parseInstalments, readInstalments } from './custom-fields';
import { customerName, fullName } from './customer';
import { lineOfSum, quantityOf, sumDifference } from './lines';
import { latest } from './order-events';

describe('parseInstalments', () => {
  it.each([
    ['1', 1],
    [' 12 ', 12],
    ['3x', 3],
    ['3 X', 3],
    ['3x de R$ 33,34 sem juros', 3],
    ['10 parcelas', 10],
    ['2 vezes', 2],
    ['6 installments', 6],
    ['120', 120],
    ['121', undefined],
    ['0', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e2', undefined],
    ['3 de 10', undefined],
    ['R$ 3', undefined],
    ['à vista', undefined],
  ])('of %j is %s', (text, count) => {
    expect(parseInstalments(text)).toBe(count);
  });

  it('never takes long over a text', () => {
    expect(parseInstalments(`3${' '.repeat(100_000)}!`)).toBeUndefined();
  });
});

describe('readInstalments', () => {
  it('takes the first that is said', () => {
    expect(readInstalments([undefined, '4', '5'])).toEqual({ instalments: 4, differences: [] });
    expect(readInstalments([])).toEqual({ instalments: 1, differences: [] });
  });
});

describe('chooseDocument', () => {
  it('prefers a valid one, then the first, then a company that is one', () => {
    expect(chooseDocument(['111', '52998224725'], ['11222333000181'])).toBe('52998224725');
    expect(chooseDocument(['111', '222'], ['11222333000181'])).toBe('111');
    expect(chooseDocument([undefined], ['Oficina', '11222333000181'])).toBe('11222333000181');
    expect(chooseDocument([], ['Oficina', undefined])).toBeUndefined();
  });
});

describe('customerName', () => {
  it('is never empty', () => {
    expect(customerName([undefined, '', 'Ana'], 'x@example.com')).toBe('Ana');
    expect(customerName([undefined], 'ana.sa@example.com')).toBe('ana.sa');
    expect(customerName([], '@example.com')).toBe('Guest');
    expect(customerName([], undefined)).toBe('Guest');
    expect(fullName(undefined, 'Sá')).toBe('Sá');
    expect(fullName(undefined, undefined)).toBeUndefined();
  });
});

describe('lines', () => {
  const quantity = (json: string): bigint => quantityOf(Payload.parse(Buffer.from(`{"q": ${json}}`)), 'q');

  it('have quantities in millionths', () => {
    expect([quantity('2'), quantity('1.5'), quantity('"0.000001"')]).toEqual([2_000_000n, 1_500_000n, 1n]);
  });

  it.each(['0', '-1', '"two"', '1e400', '1.0000001', 'null'])('do not have the quantity %s', (json) => {
    expect(() => quantity(json)).toThrow(/^\$\.q is /);
  });

  it('add up to the sum they were made of, whatever the quantity', () => {
    const sums = fc.bigInt({ min: 0n, max: 9_999_999n });
    const quantities = fc.bigInt({ min: 1n, max: 99n }).map((pieces) => pieces * 500_000n);
    fc.assert(
      fc.property(sums, quantities, (minor, millionths) => {
        const line = lineOfSum('T', 'S', millionths, Money.ofMinor(minor, 'BRL'));
        expect(line.price.minor * BigInt(Math.round(line.quantity * 2))).toBe(minor * 2n);
      }),
    );
  });

  it('say how many pieces there are where one has no exact price', () => {
    const line = lineOfSum('Café', undefined, 3_000_000n, Money.parse('200.00', 'BRL'));
    expect(line).toEqual({ title: '3 × Café', quantity: 1, price: Money.parse('200.00', 'BRL') });
  });
});

describe('sumDifference', () => {
  const stated = Money.parse('10.00', 'BRL');

  it('is silent when parts add up, are unknown, or there is nothing to compare', () => {
    expect(sumDifference('It is', [400n, 600n], stated)).toEqual([]);
    expect(sumDifference('It is', [400n, undefined], stated)).toEqual([]);
    expect(sumDifference('It is', [], stated)).toEqual([]);
    expect(sumDifference('It is', [1n], undefined)).toEqual([]);
  });

  it('names both amounts when they differ', () => {
    expect(sumDifference('It is', [400n, 599n], stated)).toEqual([
      'It is 9.99 BRL, but the order says 10.00 BRL.',
    ]);
  });
});

describe('latest', () => {
  it('is the last in time, not in order', () => {
    const [early, late] = [new Date(1000), new Date(2000)];
    expect(latest([early, late, undefined, early])).toBe(late);
    expect(latest([undefined])).toBeUndefined();
  });
});
