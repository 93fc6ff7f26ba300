import fc from 'fast-check';
import { backoffMs, isTransient } from './retry-policy';

describe('backoff', () => {
  it('doubles from one second and stops growing at a quarter of an hour', () => {
    expect([1, 2, 3, 4].map((attempts) => backoffMs(attempts, 0))).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(backoffMs(50, 0)).toBe(900_000);
  });

  it('takes off at most half at random, and never all', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, random) => {
          const whole = backoffMs(attempts, 0);
          const delay = backoffMs(attempts, random);
          expect(delay).toBeLessThanOrEqual(whole);
          expect(delay).toBeGreaterThanOrEqual(whole / 2);
        },
      ),
    );
  });
});

describe('transient failures', () => {
  const coded = (code: string) => Object.assign(new Error('x'), { code });

  it.each(['40P01', '40001', '57P01', 'P2028', 'ECONNRESET'])('knows %s by its code', (code) => {
    expect(isTransient(coded(code))).toBe(true);
    expect(isTransient(new Error('wrapped', { cause: coded(code) }))).toBe(true);
  });

  it.each(['22P05', '23505', 'P2002'])('does not take %s for one', (code) => {
    expect(isTransient(coded(code))).toBe(false);
  });

  it('takes a programming error for none', () => {
    expect(isTransient(new TypeError('x is not a function'))).toBe(false);
    expect(isTransient('text')).toBe(false);
  });
});
