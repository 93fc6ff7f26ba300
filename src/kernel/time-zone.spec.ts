import { CalendarDate } from './calendar-date';
import { canonicalZone, instantAt, isTimeZone, midnightOf, midnightOffsets, offsetAt } from './time-zone';

const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'US/Eastern', 'Brazil/East', 'Etc/GMT+12'];
/** The first and the last day there is, clocks that skip midnight, local mean time, days that were left out. */
const DAYS = [
  '1900-01-01',
  '1913-12-31',
  '1993-08-21',
  '1994-12-31',
  '2011-12-30',
  '2018-11-04',
  '2024-02-29',
  '2026-03-29',
  '9999-12-31',
];

/** Letter by letter, each spelling another one. */
function spellings(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) =>
    [...name]
      .map((letter, at) => ((number >> at) & 1 ? letter.toUpperCase() : letter.toLowerCase()))
      .join(''),
  );
}

/** How often `Intl` was asked to make a formatter while `work` ran. */
function formattersMade(work: () => void): number {
  const RealFormat = Intl.DateTimeFormat;
  let made = 0;
  const counting = new Proxy(RealFormat, {
    construct(target, args: ConstructorParameters<typeof RealFormat>) {
      made += 1;
      return new target(...args);
    },
  });
  Intl.DateTimeFormat = counting;
  try {
    work();
  } finally {
    Intl.DateTimeFormat = RealFormat;
  }
  return made;
}

describe('a time zone', () => {
  it('is the same in any letter case, and costs the same as in one', () => {
    const names = spellings('Asia/Kathmandu', 500);
    const made = formattersMade(() => {
      for (const name of names) expect(offsetAt(Date.UTC(2026, 0, 1), name)).toBe(345 * 60_000);
    });
    expect(made).toBeLessThanOrEqual(3);
    expect(new Set(names.map(canonicalZone)).size).toBe(1);
  });

  it('is not even asked for by a name that none can have', () => {
    const made = formattersMade(() => {
      for (const name of ['', 'x'.repeat(65), 'America/São_Paulo', 'UTC\n', '\u212Airibati', '-03:00'])
        expect(isTimeZone(name)).toBe(false);
    });
    expect(made).toBe(0);
  });

  it('knows which names are none', () => {
    expect(['Mars/Olympus', 'America', 'america/sao_paulo', 'UTC'].map(isTimeZone)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(() => offsetAt(0, 'Mars/Olympus')).toThrow(RangeError);
  });

  it('answers for the days it has been asked for without asking again', () => {
    const hours = Array.from({ length: 24 * 60 }, (_, minute) => Date.UTC(2026, 5, 1) + minute * 60_000);
    for (const at of hours) offsetAt(at, 'Europe/Lisbon');
    const formatToParts = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    try {
      for (const at of hours) expect(offsetAt(at, 'Europe/Lisbon')).toBe(3_600_000);
      expect(formatToParts).not.toHaveBeenCalled();
    } finally {
      formatToParts.mockRestore();
    }
  });

  it.each([
    ['Australia/Sydney', '2026-04-05', '+11:00'],
    ['Australia/Sydney', '2026-10-04', '+10:00'],
    ['Europe/Lisbon', '2026-03-29', '+00:00'],
    ['Europe/Lisbon', '2026-10-25', '+01:00'],
    ['Asia/Jerusalem', '2026-10-25', '+03:00'],
    ['America/New_York', '2026-11-01', '-04:00'],
    ['America/New_York', '2026-03-08', '-05:00'],
  ])('%s begins the day %s, on which clocks are changed later, at its midnight: %s', (zone, day, offset) => {
    const midnight = midnightOf(day, zone);
    expect(midnight).toBe(`${day}T00:00:00${offset}`);
    expect(instantAt(day, 0, zone)).toBe(Date.parse(midnight));
    const before = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.parse(midnight) - 1);
    expect(before < day).toBe(true);
  });

  it.each(ZONES)('%s gives every day back as it was given', (zone) => {
    for (const day of DAYS) {
      const text = CalendarDate.parse(day).toWire(zone);
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT00:00:00[+-]\d\d:\d\d$/);
      expect(text.slice(0, 10)).toBe(day);
      expect(CalendarDate.parseIn(text, zone).toString()).toBe(day);
    }
  });

  it.each(['America/Sao_Paulo', 'Africa/Monrovia', 'Pacific/Apia'])(
    'has in %s the offset that its clocks show, hour by hour, whatever was asked before',
    (zone) => {
      const shown = new Intl.DateTimeFormat('sv-SE', {
        timeZone: zone,
        dateStyle: 'short',
        timeStyle: 'medium',
      });
      // A hundred thousand expectations would take longer than all they look at.
      const wrong: number[] = [];
      for (const year of [1914, 1972, 2011, 2018]) {
        for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 3_600_000) {
          const wall = Date.parse(`${shown.format(at).replace(' ', 'T')}Z`);
          if (offsetAt(at, zone) !== wall - at) wrong.push(at);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it.each([
    ['America/Sao_Paulo', 2015, 2020],
    ['America/Havana', 2025, 2028],
    ['Europe/Lisbon', 2025, 2028],
    ['Atlantic/Azores', 2025, 2028],
    ['Africa/Casablanca', 2025, 2028],
    ['Africa/Cairo', 2010, 2014],
    ['Asia/Beirut', 2025, 2028],
    ['Asia/Kathmandu', 1985, 1987],
    ['Pacific/Apia', 2011, 2012],
    ['Pacific/Kiritimati', 1994, 1995],
  ])('says of %s from %d to %d what it says of each day', (zone, firstYear, lastYear) => {
    const DAY_MS = 86_400_000;
    const days: string[] = [];
    const said: string[] = [];
    for (const { first, last, offset } of midnightOffsets(zone, firstYear, lastYear))
      for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) {
        const day = new Date(at).toISOString().slice(0, 10);
        days.push(day);
        said.push(`${day}T00:00:00${offset}`);
      }
    expect(said).toEqual(days.map((day) => midnightOf(day, zone)));
    expect([days[0], days.at(-1)]).toEqual([`${firstYear}-01-01`, `${lastYear}-12-31`]);
    expect(days).toHaveLength((Date.UTC(lastYear + 1, 0, 1) - Date.UTC(firstYear, 0, 1)) / DAY_MS);
  });
});
