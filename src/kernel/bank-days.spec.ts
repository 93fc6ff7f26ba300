import fc from 'fast-check';
import { addBankDays, isBankDay, MOST_BANK_DAYS, nextBankDay } from './bank-days';
import { CalendarDate } from './calendar-date';

const day = (text: string): CalendarDate => CalendarDate.parse(text);

describe('bank days in Brazil', () => {
  // The holidays as Brazil's association of banks published them for these years.
  it.each<[number, string[]]>([
    [
      2023,
      ['02-20', '02-21', '04-07', '04-21', '05-01', '06-08', '09-07', '10-12', '11-02', '11-15', '12-25'],
    ],
    [2024, ['01-01', '02-12', '02-13', '03-29', '05-01', '05-30', '11-15', '11-20', '12-25']],
    [2025, ['01-01', '03-03', '03-04', '04-18', '04-21', '05-01', '06-19', '11-20', '12-25']],
    [
      2026,
      [
        '01-01',
        '02-16',
        '02-17',
        '04-03',
        '04-21',
        '05-01',
        '06-04',
        '09-07',
        '10-12',
        '11-02',
        '11-20',
        '12-25',
      ],
    ],
  ])('are the weekdays of %i but these', (year, expected) => {
    const closed: string[] = [];
    for (let date = CalendarDate.of(year, 1, 1); date.year === year; date = date.addDays(1)) {
      const weekday = new Date(`${date.toString()}T12:00:00Z`).getUTCDay();
      if (weekday !== 0 && weekday !== 6 && !isBankDay(date)) closed.push(date.toString().slice(5));
    }
    expect(closed).toEqual(expected);
  });

  it.each([
    ['2026-02-14', '2026-02-18'],
    ['2026-04-03', '2026-04-06'],
    ['2026-03-10', '2026-03-10'],
    ['2026-12-25', '2026-12-28'],
  ])('the next from %s is %s', (from, to) => {
    expect(nextBankDay(day(from)).toString()).toBe(to);
  });

  it.each([
    ['2026-02-13', 1, '2026-02-18'],
    ['2026-02-13', 2, '2026-02-19'],
    ['2026-02-14', 0, '2026-02-18'],
    ['2026-02-18', -1, '2026-02-13'],
    ['2026-03-10', 30, '2026-04-23'],
  ])('%s and %i of them is %s', (from, count, to) => {
    expect(addBankDays(day(from), count).toString()).toBe(to);
  });

  it('there and back is the same day', () => {
    const dates = fc
      .integer({ min: 0, max: 20_000 })
      .map((days) => nextBankDay(day('2001-01-02').addDays(days)));
    fc.assert(
      fc.property(dates, fc.integer({ min: 1, max: 300 }), (date, count) => {
        const later = addBankDays(date, count);
        expect(isBankDay(later)).toBe(true);
        expect(addBankDays(later, -count).toString()).toBe(date.toString());
      }),
    );
  });

  it.each([MOST_BANK_DAYS + 1, -MOST_BANK_DAYS - 1, 1.5, NaN])('are not counted %d far', (count) => {
    expect(() => addBankDays(day('2026-03-10'), count)).toThrow(RangeError);
  });
});
