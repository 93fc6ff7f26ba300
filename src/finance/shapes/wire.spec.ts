import fc from 'fast-check';
import { CalendarDate } from '../../kernel/calendar-date';
import { formatMinor } from '../../kernel/money';
import { dayOf, columnOf, wireAmount, wireDate } from './wire';

const days = fc
  .date({ min: new Date('1920-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
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

  it('is a date and time of RFC 3339 that reads back as the same day', () => {
    fc.assert(
      fc.property(days, zones, (day, zone) => {
        const text = wireDate(day, zone);
        // Samoa left out a day when it crossed the date line.
        fc.pre(!(zone === 'Pacific/Apia' && day.toString() === '2011-12-30'));
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/);
        expect(CalendarDate.parseIn(text, zone).toString()).toBe(day.toString());
      }),
    );
  });

  it('survives the column it is kept in', () => {
    fc.assert(fc.property(days, (day) => dayOf(columnOf(day)).equals(day)));
  });
});

describe('an amount on the wire', () => {
  it('prints the very decimal that was kept', () => {
    const limit = 10n ** 15n - 1n;
    fc.assert(
      fc.property(fc.bigInt({ min: -limit, max: limit }), (minor) => {
        const printed = JSON.stringify(wireAmount(minor, 'BRL'));
        expect(Number(printed).toFixed(2)).toBe(formatMinor(minor));
      }),
    );
  });

  it('has as many decimals as the currency', () => {
    expect(wireAmount(1234n, 'BRL')).toBe(12.34);
    expect(wireAmount(1234n, 'JPY')).toBe(1234);
    expect(wireAmount(1234n, 'KWD')).toBe(1.234);
  });

  it('is an error when no double holds it', () => {
    expect(() => wireAmount(10n ** 15n, 'BRL')).toThrow('exactly');
  });
});
