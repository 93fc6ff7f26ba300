import * as fc from 'fast-check';
import { dayAfter, isDay, monthAfter, monthSpan, spanOf, today } from '../../console/src/days';
import { propertyRuns, propertySeed } from '../support/property-runs';

const DAY = fc
  .date({ min: new Date('1980-01-01T00:00:00Z'), max: new Date('2090-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('days in the console', () => {
  it('are days of the calendar, written in one way', () => {
    expect(['2026-02-28', '2024-02-29'].map(isDay)).toEqual([true, true]);
    expect(
      ['', '2026-02-29', '2026-2-8', '2026-13-01', ' 2026-01-01', '2026-01-01T00:00'].map(isDay),
    ).toEqual(Array<boolean>(6).fill(false));
  });

  it('are counted over the ends of months and years; what is no day has none after it', () => {
    expect([dayAfter('2026-12-31', 1), dayAfter('2024-03-01', -1)]).toEqual(['2027-01-01', '2024-02-29']);
    expect(dayAfter('tomorrow', 1)).toBeUndefined();
  });

  it('are, from one to another, the instants between two midnights of the organization', () => {
    expect(spanOf('2026-03-10', '2026-03-10', 'America/Sao_Paulo')).toEqual({
      from: '2026-03-10T00:00:00-03:00',
      to: '2026-03-11T00:00:00-03:00',
    });
    expect(spanOf('', 'x', 'America/Sao_Paulo')).toEqual({ from: undefined, to: undefined });
  });

  it('begin an hour later where clocks skip midnight', () => {
    const { from = '' } = spanOf('2018-11-04', '', 'America/Sao_Paulo');
    expect(new Date(from).toISOString()).toBe('2018-11-04T03:00:00.000Z');
  });

  it('make months, whatever their length', () => {
    expect(monthSpan('2024-02')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
    expect(monthSpan('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
    expect([monthSpan('2026-13'), monthSpan('')]).toEqual([undefined, undefined]);
    expect([monthAfter('2026-01-31', 1), monthAfter('2026-01-31', -1)]).toEqual(['2026-02', '2025-12']);
  });

  it('are today in the zone that is asked for', () => {
    const [west, east] = [today('Etc/GMT+12'), today('Etc/GMT-14')];
    expect(isDay(west) && isDay(east) && west < east).toBe(true);
  });

  it('follow each other without a gap, whatever the day and the zone', () => {
    const zone = fc.constantFrom('America/Sao_Paulo', 'Europe/Lisbon', 'UTC', 'Australia/Lord_Howe');
    const law = fc.property(DAY, zone, (day, timeZone) => {
      const next = dayAfter(day, 1) ?? '';
      expect(dayAfter(next, -1)).toBe(day);
      expect(spanOf(day, day, timeZone).to).toBe(spanOf(next, next, timeZone).from);
      const { from, to } = monthSpan(day.slice(0, 7)) ?? { from: '', to: '' };
      expect(from <= day && day <= to).toBe(true);
      expect(monthAfter(day, 1)).toBe(dayAfter(to, 1)?.slice(0, 7));
    });
    fc.assert(law, { numRuns: propertyRuns(300), ...propertySeed() });
  });
});
