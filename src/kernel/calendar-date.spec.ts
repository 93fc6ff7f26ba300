import fc from 'fast-check';
import { CalendarDate, CalendarDateError } from './calendar-date';
import { propertyRuns } from '../../test/support/property-runs';

const SAO_PAULO = 'America/Sao_Paulo';
const dates = fc
  .record({
    year: fc.integer({ min: 1901, max: 9900 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
  })
  .map(({ year, month, day }) => CalendarDate.of(year, month, day));

describe('CalendarDate', () => {
  it.each(['2024-02-29', '2000-02-29', '1900-01-01', '9999-12-31', '2026-07-31'])(
    'reads and prints %s',
    (text) => {
      expect(CalendarDate.parse(text).toString()).toBe(text);
      expect(JSON.stringify({ day: CalendarDate.parse(text) })).toBe(`{"day":"${text}"}`);
    },
  );

  it.each([
    '2023-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '1899-12-31',
    '2026-1-1',
    '01/02/2026',
    ' 2026-01-01',
    '2026-01-01\n',
    '',
  ])('refuses %j', (text) => {
    expect(() => CalendarDate.parse(text)).toThrow(CalendarDateError);
  });

  it.each([
    [2026, 1.5, 1],
    [2026, 1, 1.5],
    [2026.5, 1, 1],
    [Number.NaN, 1, 1],
    [2026, Number.NaN, 1],
    [2026, 1, Number.NaN],
    [2026, 1, Number.POSITIVE_INFINITY],
  ])('is not made of %d, %d, %d', (year, month, day) => {
    expect(() => CalendarDate.of(year, month, day)).toThrow(CalendarDateError);
  });

  it('cuts a series to the ends of shorter months, counted from its first date', () => {
    const first = CalendarDate.parse('2026-01-31');
    const series = [0, 1, 2, 3, 13, 25].map((months) => first.addMonths(months).toString());
    expect(series).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2027-02-28',
      '2028-02-29',
    ]);
  });

  it.each([
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-01-15', -13, '2024-12-15'],
    ['2026-12-31', 2, '2027-02-28'],
  ])('%s plus %d months is %s', (from, months, to) => {
    expect(CalendarDate.parse(from).addMonths(months).toString()).toBe(to);
  });

  it.each([
    ['2026-12-31', 1, '2027-01-01'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2023-02-28', 1, '2023-03-01'],
    ['2026-01-01', -1, '2025-12-31'],
  ])('%s plus %d days is %s', (from, days, to) => {
    expect(CalendarDate.parse(from).addDays(days).toString()).toBe(to);
  });

  it('stops at the ends of what it knows', () => {
    expect(() => CalendarDate.parse('9999-12-31').addDays(1)).toThrow(CalendarDateError);
    expect(() => CalendarDate.parse('9999-12-31').addMonths(1)).toThrow(CalendarDateError);
    expect(() => CalendarDate.parse('2026-01-01').addMonths(0.5)).toThrow(CalendarDateError);
  });

  it('comes back after any number of days, and knows which came first', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -300, max: 30_000 }), (date, days) => {
        const moved = date.addDays(days);
        expect(moved.addDays(-days).equals(date)).toBe(true);
        expect(Math.sign(moved.compare(date))).toBe(Math.sign(days));
      }),
    );
  });

  it('moves by months without ever leaving the month it lands in', () => {
    const anyDay = fc.tuple(dates, fc.integer({ min: 0, max: 30 })).map(([date, days]) => date.addDays(days));
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 600 }), (date, months) => {
        const moved = date.addMonths(months);
        expect(moved.year * 12 + moved.month).toBe(date.year * 12 + date.month + months);
        expect(moved.day === date.day || (moved.day < date.day && moved.addDays(1).day === 1)).toBe(true);
      }),
    );
  });

  describe('from a point in time', () => {
    it.each([
      ['2026-08-01T01:15:38Z', SAO_PAULO, '2026-07-31'],
      ['2026-08-01T02:59:59.999Z', SAO_PAULO, '2026-07-31'],
      ['2026-08-01T03:00:00Z', SAO_PAULO, '2026-08-01'],
      // Brazil still had summer time in 2018: two hours behind UTC instead of three.
      ['2018-12-01T02:30:00Z', SAO_PAULO, '2018-12-01'],
      // The clocks there went from midnight to one: 4 November 2018 began at 01:00.
      ['2018-11-04T02:59:59Z', SAO_PAULO, '2018-11-03'],
      ['2018-11-04T03:00:00Z', SAO_PAULO, '2018-11-04'],
      ['2026-03-29T23:30:00Z', 'Europe/Lisbon', '2026-03-30'],
      ['2026-01-31T23:30:00Z', 'Europe/Lisbon', '2026-01-31'],
      ['2026-12-31T10:30:00Z', 'Pacific/Kiritimati', '2027-01-01'],
      ['2026-01-01T11:59:00Z', 'Pacific/Pago_Pago', '2026-01-01'],
      ['2026-01-01T10:59:00Z', 'Pacific/Pago_Pago', '2025-12-31'],
    ])('%s in %s is %s', (instant, zone, day) => {
      expect(CalendarDate.fromInstant(new Date(instant), zone).toString()).toBe(day);
    });

    it('is the day that a calendar of the zone shows, whatever was asked just before', () => {
      const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), SAO_PAULO, 'America/St_Johns');
      const instant = fc.date({
        min: new Date('1900-01-02T00:00:00Z'),
        max: new Date('2060-01-01T00:00:00Z'),
        noInvalidDate: true,
      });
      // Around midnight as well, and where clocks were changed a minute after it.
      const moments = fc.oneof(
        instant.map((date) => date.getTime()),
        instant.map((date) => Math.round(date.getTime() / 900_000) * 900_000),
        fc.constantFrom(Date.parse('2010-11-07T02:31:00Z'), Date.parse('2018-11-04T03:00:00Z')),
      );
      const nearby = fc.array(fc.integer({ min: -1_800_000, max: 1_800_000 }), { maxLength: 4 });
      fc.assert(
        fc.property(zone, moments, nearby, (timeZone, moment, steps) => {
          const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
          for (const step of [0, ...steps, -1, 1]) {
            const date = new Date(moment + step);
            expect(CalendarDate.fromInstant(date, timeZone).toString()).toBe(calendar.format(date));
          }
        }),
        { numRuns: propertyRuns(50) },
      );
    });

    it('follows clocks that go back over midnight a minute after it', () => {
      const minutes = Array.from(
        { length: 60 },
        (_, minute) => Date.parse('2010-11-07T02:00:00Z') + minute * 60_000,
      );
      const days = minutes.map((at) => CalendarDate.fromInstant(new Date(at), 'America/St_Johns').toString());
      expect(days.filter((day) => day === '2010-11-07')).toHaveLength(1);
      expect(days[30]).toBe('2010-11-07');
    });

    it('refuses what is no point in time, or before its years', () => {
      expect(() => CalendarDate.fromInstant(new Date(Number.NaN), 'UTC')).toThrow(CalendarDateError);
      expect(() => CalendarDate.fromInstant(new Date('-002026-01-01T00:00:00Z'), 'UTC')).toThrow(
        CalendarDateError,
      );
      expect(() => CalendarDate.fromInstant(new Date('+012026-01-01T00:00:00Z'), 'UTC')).toThrow(
        CalendarDateError,
      );
    });
  });

  describe('from what clients send', () => {
    it.each([
      ['2026-07-31', '2026-07-31'],
      ['2026-07-31T23:59:59', '2026-07-31'],
      ['2026-07-31 23:59', '2026-07-31'],
      ['2026-08-01T01:00:00Z', '2026-07-31'],
      ['2026-08-01 01:00:00Z', '2026-07-31'],
      ['2026-08-01t01:00:00z', '2026-07-31'],
      ['2026-08-01T01:00:00.123456789+00:00', '2026-07-31'],
      ['2026-07-31T23:00:00-0500', '2026-08-01'],
    ])('%s falls on %s in São Paulo', (text, day) => {
      expect(CalendarDate.parseIn(text, SAO_PAULO).toString()).toBe(day);
    });

    it.each([
      '2026-02-30T10:00:00Z',
      '2026-02-30T10:00:00',
      '2026-07-31T25:00:00',
      '2026-07-31T10:61',
      '2026-07-31T10:00:99',
      '2026-07-31T25:00:00Z',
      '2026-07-31T10:00:00+99:99',
      '2026-07-31T',
      'today',
    ])('refuses %s', (text) => {
      expect(() => CalendarDate.parseIn(text, SAO_PAULO)).toThrow(CalendarDateError);
    });
  });

  describe('from clients that only know instants', () => {
    it.each([
      ['2026-12-30T00:00:00Z', '2026-12-30'],
      ['2026-12-30T00:00Z', '2026-12-30'],
      ['2026-12-30t00:00:00.000z', '2026-12-30'],
      ['2026-12-30T00:00:00+00:00', '2026-12-30'],
      ['2026-12-30T00:00:00.0000000-0000', '2026-12-30'],
      ['30/12/2026', '2026-12-30'],
      ['01/02/2026', '2026-02-01'],
      // Any other time is a point in time, as everywhere.
      ['2026-12-30T00:00:01Z', '2026-12-29'],
      ['2026-12-30T00:00:00+01:00', '2026-12-29'],
      ['2026-12-30T03:00:00Z', '2026-12-30'],
      ['2026-12-30T00:00:00-03:00', '2026-12-30'],
      ['2026-12-30T00:00:00', '2026-12-30'],
      ['2026-12-30', '2026-12-30'],
    ])('%s is %s', (text, day) => {
      expect(CalendarDate.parseSent(text, SAO_PAULO).toString()).toBe(day);
    });

    it.each(['12/30/2026', '1/2/2026', '01-02-2026', '29/02/2026', '01/02/26', '2026-02-30T00:00:00Z', ''])(
      'refuses %j',
      (text) => expect(() => CalendarDate.parseSent(text, SAO_PAULO)).toThrow(CalendarDateError),
    );

    it('is the day that a midnight in UTC names, in every zone', () => {
      for (const zone of ['Pacific/Pago_Pago', 'America/Noronha', 'UTC', 'Asia/Tokyo', 'Pacific/Kiritimati'])
        fc.assert(
          fc.property(dates, (date) => {
            expect(CalendarDate.parseSent(`${date.toString()}T00:00:00Z`, zone).equals(date)).toBe(true);
          }),
          { numRuns: 20 },
        );
    });
  });
});
