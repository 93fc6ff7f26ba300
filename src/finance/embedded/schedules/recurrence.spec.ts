import fc from 'fast-check';
import { CalendarDate } from '../../../kernel/calendar-date';
import { dueDateOf, dueDatesUntil, horizonFrom, type RecurrenceRule } from './recurrence';

const day = (text: string): CalendarDate => CalendarDate.parse(text);
const DAY_MS = 86_400_000;

/** Days since 1970, reckoned without CalendarDate. */
const numberOf = ({ year, month, day: dayOfMonth }: CalendarDate): number =>
  Date.UTC(year, month - 1, dayOfMonth) / DAY_MS;
const daysIn = (year: number, month: number): number =>
  [
    31,
    year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28,
    31,
    30,
    31,
    30,
    31,
    31,
    30,
    31,
    30,
    31,
  ][month - 1]!;

const anyDay = fc
  .integer({ min: numberOf(day('1900-01-01')), max: numberOf(day('2400-12-31')) })
  .map((number) => day(new Date(number * DAY_MS).toISOString().slice(0, 10)));
const interval = fc.integer({ min: 1, max: 60 });
const index = fc.integer({ min: 0, max: 360 });
const anyRule: fc.Arbitrary<RecurrenceRule> = fc.record(
  {
    intervalType: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year' as const),
    interval,
    firstDueDate: anyDay,
    occurrences: fc.integer({ min: 1, max: 360 }),
  },
  { requiredKeys: ['intervalType', 'interval', 'firstDueDate'] },
);

describe('the dates of a recurrence', () => {
  it('begin with the first and are strictly increasing', () => {
    fc.assert(
      fc.property(anyRule, index, (rule, at) => {
        expect(dueDateOf(rule, 0)).toEqual(rule.firstDueDate);
        const [one, next] = [dueDateOf(rule, at), dueDateOf(rule, at + 1)];
        if (one && next) expect(one.compare(next)).toBe(-1);
        if (!one) expect(next).toBeUndefined();
      }),
    );
  });

  it('by month and year keep the day of the first date, or the last day of a shorter month', () => {
    fc.assert(
      fc.property(anyDay, interval, index, fc.constantFrom(1, 12), (firstDueDate, every, at, months) => {
        const intervalType = months === 1 ? 'month' : 'year';
        const date = dueDateOf({ intervalType, interval: every, firstDueDate }, at)!;
        if (!date) return;
        const monthsBetween = (date.year - firstDueDate.year) * 12 + date.month - firstDueDate.month;
        expect(monthsBetween).toBe(every * at * months);
        expect(date.day).toBe(Math.min(firstDueDate.day, daysIn(date.year, date.month)));
      }),
    );
  });

  it('by day and week are that many days apart', () => {
    fc.assert(
      fc.property(anyDay, interval, index, fc.constantFrom(1, 7), (firstDueDate, every, at, days) => {
        const intervalType = days === 1 ? 'day' : 'week';
        const date = dueDateOf({ intervalType, interval: every, firstDueDate }, at)!;
        expect(numberOf(date) - numberOf(firstDueDate)).toBe(every * at * days);
      }),
    );
  });

  it('are the same however often the horizon moved on the way', () => {
    fc.assert(
      fc.property(anyRule, fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 8 }), (rule, moves) => {
        let horizon = rule.firstDueDate;
        const stepwise: CalendarDate[] = [];
        for (const days of moves) {
          horizon = horizon.addDays(days);
          stepwise.push(...dueDatesUntil(rule, horizon, { made: stepwise.length, most: 50 }).dates);
        }
        const made = stepwise.length;
        expect(dueDatesUntil(rule, day('9999-12-31'), { made: 0, most: made }).dates).toEqual(stepwise);
        expect(stepwise.every((date) => date.compare(horizon) <= 0)).toBe(true);
      }),
    );
  });

  it('stop after their number and after their last day', () => {
    fc.assert(
      fc.property(anyRule, fc.integer({ min: 0, max: 3_000 }), (rule, days) => {
        const endDate = rule.firstDueDate.addDays(days);
        const { dates, next } = dueDatesUntil({ ...rule, endDate }, day('9999-12-31'), {
          made: 0,
          most: 5_000,
        });
        expect(next).toBeUndefined();
        expect(dates.length).toBeLessThanOrEqual(rule.occurrences ?? Infinity);
        expect(dates.at(-1)!.compare(endDate)).toBeLessThanOrEqual(0);
        const after = dueDateOf({ ...rule, occurrences: undefined }, dates.length);
        expect(dates.length === rule.occurrences || !after || after.compare(endDate) > 0).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['month', '2026-01-31', 1, ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
    ['month', '2028-01-31', 1, ['2028-01-31', '2028-02-29', '2028-03-31']],
    ['month', '2026-01-31', 13, ['2026-01-31', '2027-02-28', '2028-03-31']],
    ['year', '2024-02-29', 1, ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
    ['year', '2096-02-29', 4, ['2096-02-29', '2100-02-28', '2104-02-29']],
    ['week', '2028-02-22', 1, ['2028-02-22', '2028-02-29', '2028-03-07']],
  ] as const)('every %s from %s', (intervalType, first, every, dates) => {
    const rule = { intervalType, interval: every, firstDueDate: day(first) };
    expect(dates.map((_, at) => dueDateOf(rule, at)?.toString())).toEqual(dates);
  });

  it('end with the calendar', () => {
    const rule = { intervalType: 'month', interval: 1, firstDueDate: day('9999-11-30') } as const;
    expect([0, 1, 2].map((at) => dueDateOf(rule, at)?.toString())).toEqual([
      '9999-11-30',
      '9999-12-30',
      undefined,
    ]);
    expect(dueDateOf({ ...rule, intervalType: 'week', interval: 2_147_483_647 }, 360)).toBeUndefined();
  });
});

describe('the horizon', () => {
  it.each([
    ['2027-02-28', '2028-02-28'],
    ['2028-02-28', '2029-02-28'],
    ['2028-02-29', '2029-02-28'],
    ['2028-03-01', '2029-03-01'],
    ['2026-12-31', '2027-12-31'],
  ])('of %s is %s', (today, last) => {
    expect(horizonFrom(day(today)).toString()).toBe(last);
  });

  // Where the clocks skip midnight, the day begins at one o'clock; Apia went without 30 December 2011.
  it.each([
    ['America/Sao_Paulo', '2018-11-04T02:59:59Z', '2019-11-03'],
    ['America/Sao_Paulo', '2018-11-04T03:00:00Z', '2019-11-04'],
    ['America/Sao_Paulo', '2019-02-17T02:59:59Z', '2020-02-16'],
    ['America/Sao_Paulo', '2019-02-17T03:00:00Z', '2020-02-17'],
    ['Europe/Berlin', '2026-03-28T22:59:59Z', '2027-03-28'],
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2027-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00Z', '2027-03-30'],
    ['America/New_York', '2026-03-08T04:59:59Z', '2027-03-07'],
    ['America/New_York', '2026-03-08T05:00:00Z', '2027-03-08'],
    ['America/New_York', '2026-03-09T04:00:00Z', '2027-03-09'],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2012-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2012-12-31'],
  ])('in %s at %s is %s', (timeZone, instant, last) => {
    const today = CalendarDate.fromInstant(new Date(instant), timeZone);
    expect(horizonFrom(today).toString()).toBe(last);
  });
});
