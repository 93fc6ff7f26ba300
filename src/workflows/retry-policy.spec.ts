import fc from 'fast-check';
import { DatabaseUnavailable } from '../kernel/database-unavailable';
import { backoffMs, isTimeout, isTransient } from './retry-policy';

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

  const known = [
    '40P01',
    '40001',
    '55P03',
    '57P01',
    '25P03',
    '53100',
    '53200',
    '53400',
    '58030',
    '25006',
    'ECONNRESET',
  ];
  it.each(known)('knows %s by its code', (code) => {
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

describe('work that took too long', () => {
  const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code });

  it.each(['57014', '25P04', 'P2028'])('is known by %s, and not repeated as it is', (code) => {
    for (const error of [
      coded(code),
      new DatabaseUnavailable(coded(code)),
      new Error('wrapped', { cause: coded(code) }),
    ])
      expect([isTimeout(error), isTransient(error)]).toEqual([true, false]);
  });

  it('is none that never began, and none that waited for a lock or for a lost connection', () => {
    const never = new DatabaseUnavailable(coded('P2028', 'Unable to start a transaction in the given time.'));
    for (const error of [never, coded('55P03'), new DatabaseUnavailable(coded('ETIMEDOUT'))])
      expect([isTimeout(error), isTransient(error)]).toEqual([false, true]);
  });
});
