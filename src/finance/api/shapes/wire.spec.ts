import fc from 'fast-check';
import { CalendarDate } from '../../../kernel/calendar-date';
import { formatMinor, Money } from '../../../kernel/money';
import { dayOf, dayOfWire, columnOf, minorOfWire, wireAmount, wireDate } from './wire';

const days = fc
  .date({ min: new Date('1900-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => CalendarDate.parse(date.toISOString().slice(0, 10)));
const zones = fc.constantFrom(
  'America/Sao_Paulo',
  'America/Noronha',
  'Europe/Lisbon',
  'Asia/Tokyo',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'UTC',
);

describe('a date on the wire', () => {
  it('is midnight with the offset of its zone', () => {
    expect(wireDate(CalendarDate.of(2026, 3, 10), 'America/Sao_Paulo')).toBe('2026-03-10T00:00:00-03:00');
    expect(wireDate(CalendarDate.of(2026, 7, 1), 'Europe/Lisbon')).toBe('2026-07-01T00:00:00+01:00');
    expect(wireDate(CalendarDate.of(2026, 1, 1), 'UTC')).toBe('2026-01-01T00:00:00+00:00');
  });

  it('is the right day also where the clocks skip midnight', () => {
    const text = wireDate(CalendarDate.of(2018, 11, 4), 'America/Sao_Paulo');
    expect(text).toMatch(/^2018-11-04T/);
    expect(CalendarDate.parseIn(text, 'America/Sao_Paulo').toString()).toBe('2018-11-04');
  });

  it.each([
    // Local mean time, 3 hours, 6 minutes and 28 seconds behind UTC.
    ['1900-01-01', 'America/Sao_Paulo', '1900-01-01T00:00:00-03:07'],
    ['9999-12-31', 'America/Sao_Paulo', '9999-12-31T00:00:00-03:00'],
    // Samoa left this day out when it crossed the date line.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T00:00:00-10:00'],
  ])('%s in %s is %s and comes back', (day, zone, text) => {
    expect(wireDate(CalendarDate.parse(day), zone)).toBe(text);
    expect(CalendarDate.parseIn(text, zone).toString()).toBe(day);
  });

  it('is a date and time of RFC 3339 that reads back as the same day', () => {
    fc.assert(
      fc.property(days, zones, (day, zone) => {
        const text = wireDate(day, zone);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/);
        expect(CalendarDate.parseIn(text, zone).toString()).toBe(day.toString());
      }),
    );
  });

  it('is the day that a remote service writes as midnight in UTC', () => {
    const dayIn = (text: string) => dayOfWire(text, 'America/Sao_Paulo').toString();
    expect(dayIn('2026-03-10T00:00:00Z')).toBe('2026-03-10');
    expect(dayIn('2026-03-10T03:00:00Z')).toBe('2026-03-10');
    expect(() => dayIn('10/03/2026')).toThrow('a date that cannot be read');
  });

  it('survives the column it is kept in', () => {
    fc.assert(fc.property(days, (day) => dayOf(columnOf(day)).equals(day)));
  });
});

describe('an amount on the wire', () => {
  it.each(['BRL', 'JPY', 'KWD'])('prints the very decimal that was kept of %s', (currency) => {
    const limit = 4n * 10n ** 15n - 1n;
    const exponent = Money.exponentOf(currency);
    fc.assert(
      fc.property(
        fc.oneof(fc.bigInt({ min: -limit, max: limit }), fc.bigInt({ min: limit - 10_000n, max: limit })),
        (minor) => {
          const printed = JSON.stringify(wireAmount(minor, currency));
          const [whole = '', fraction = ''] = printed.split('.');
          const padded = exponent === 0 ? whole : `${whole}.${fraction.padEnd(exponent, '0')}`;
          expect(padded).toBe(formatMinor(minor, exponent));
        },
      ),
    );
  });

  it('has as many decimals as the currency', () => {
    expect(wireAmount(1234n, 'BRL')).toBe(12.34);
    expect(wireAmount(1234n, 'JPY')).toBe(1234);
    expect(wireAmount(1234n, 'KWD')).toBe(1.234);
  });

  it('is read of a service that reckons in doubles, to the hundredth of the smallest unit', () => {
    expect(minorOfWire(0.1 + 0.2, 'BRL')).toBe(30n);
    expect(minorOfWire(-(100.1 - 33.37), 'BRL')).toBe(-66_73n);
    expect(minorOfWire(100 - 99.9 - 0.1, 'BRL')).toBe(0n);
    expect(minorOfWire('1234567890.1200001', 'BRL')).toBe(1_234_567_890_12n);
    expect(minorOfWire(1000.0000000001, 'JPY')).toBe(1000n);
    expect(minorOfWire(1.2340000000000002, 'KWD')).toBe(1234n);
    expect(() => minorOfWire(33.3333, 'BRL')).toThrow('an amount that cannot be read');
    expect(() => minorOfWire(0.001, 'BRL')).toThrow('an amount that cannot be read');
    expect(() => minorOfWire(0.0001, 'BRL')).toThrow('an amount that cannot be read');
  });

  it('is an error when no double holds it', () => {
    expect(() => wireAmount(4n * 10n ** 15n, 'BRL')).toThrow('exactly');
  });
});
