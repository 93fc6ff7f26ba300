import { CalendarDate } from '../../kernel/calendar-date';
import { daySpan } from './day-hours';

const hoursOf = (day: string, zone: string): number[] =>
  daySpan(CalendarDate.parse(day), zone).hours.map(({ hour }) => hour);
const ALL = Array.from({ length: 24 }, (_, hour) => hour);

it('has 24 hours, the first of which begins at midnight in the zone', () => {
  const { from, to, hours } = daySpan(CalendarDate.parse('2026-03-10'), 'America/Sao_Paulo');
  expect([from, to].map((each) => each.toISOString())).toEqual([
    '2026-03-10T03:00:00.000Z',
    '2026-03-11T03:00:00.000Z',
  ]);
  expect(hours.map(({ hour }) => hour)).toEqual(ALL);
  expect(hours.at(-1)?.from.toISOString()).toBe('2026-03-11T02:00:00.000Z');
});

it('has 23 hours where clocks are set forward, and 25 with one twice where they are set back', () => {
  expect(hoursOf('2026-03-29', 'Europe/Lisbon')).toEqual(ALL.filter((hour) => hour !== 1));
  expect(hoursOf('2026-10-25', 'Europe/Lisbon')).toEqual([0, 1, ...ALL.slice(1)]);
});

it('begins at midnight also where clocks are changed before it is midnight in UTC', () => {
  const { from, hours } = daySpan(CalendarDate.parse('2026-04-05'), 'Australia/Sydney');
  expect([from.toISOString(), hours.length]).toEqual(['2026-04-04T13:00:00.000Z', 25]);
});

it('begins at one where clocks skipped midnight, as in Brazil until 2018', () => {
  expect(hoursOf('2018-11-04', 'America/Sao_Paulo')).toEqual(ALL.slice(1));
});

it('cuts at full hours of the clock where it is set by half an hour', () => {
  const { hours, to } = daySpan(CalendarDate.parse('2026-04-05'), 'Australia/Lord_Howe');
  expect(hours.map(({ hour }) => hour)).toEqual([0, 1, 1, ...ALL.slice(2)]);
  const lengths = hours.map(({ from }, index) => +(hours[index + 1]?.from ?? to) - +from);
  expect(lengths.reduce((sum, each) => sum + each, 0)).toBe(24.5 * 3_600_000);
});

it('has no hours on a day that the zone left out', () => {
  expect(hoursOf('2011-12-30', 'Pacific/Apia')).toEqual([]);
});
