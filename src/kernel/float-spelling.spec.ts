import fc from 'fast-check';
import { shortestSpelling } from './float-spelling';

describe('The shortest spelling of a number', () => {
  it.each([
    ['29.949999999999999', '29.95'],
    ['-29.949999999999999', '-29.95'],
    ['0.10000000000000001', '0.1'],
    ['0.10000000000000000555111512312578270211815834045410156', '0.1'],
    ['1234567.9499999999534339', '1234567.95'],
    ['100.0000000000000', '100'],
  ])('is found for %s, which has all the digits of a float', (digits, short) => {
    expect(shortestSpelling(digits)).toBe(short);
  });

  it.each(['89.99000000000001', '10.799999999999999', '517.9000000000001', '0.30000000000000004'])(
    'is %s itself where that is another float than an amount of cents',
    (digits) => {
      expect(shortestSpelling(digits)).toBe(digits);
    },
  );

  it.each(['29.95', '29.9500', '0.001', '29.94999999', '1e2', '12345678901234567890', '1e-17', ''])(
    'is %s itself where it has no more digits than somebody may have meant',
    (digits) => {
      expect(shortestSpelling(digits)).toBe(digits);
    },
  );

  it('is the amount of cents whose float was printed with seventeen digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999_999_999 }), (cents) => {
        const printed = (cents / 100).toPrecision(17);
        expect(Number(shortestSpelling(printed))).toBe(cents / 100);
        expect(shortestSpelling(printed)).toMatch(/^\d+(?:\.\d{1,2})?0*$/);
      }),
    );
  });
});
