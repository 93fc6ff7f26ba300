import { minuteOf, nextCheck, timeOf } from './subscription';

function daily(now: string, at: string, zone: string): string {
  const atMinute = minuteOf(at) ?? null;
  return nextCheck({ schedule: 'daily', atMinute }, new Date(now), zone).toISOString();
}

function hourly(now: string, zone: string): string {
  return nextCheck({ schedule: 'hourly', atMinute: null }, new Date(now), zone).toISOString();
}

describe('when a subscription is looked at next', () => {
  it.each([
    ['2026-03-10T10:59:59Z', '2026-03-10T11:00:00.000Z', 'before its time'],
    ['2026-03-10T11:00:00Z', '2026-03-11T11:00:00.000Z', 'at its time'],
    [
      '2026-03-11T02:59:59Z',
      '2026-03-11T11:00:00.000Z',
      "on the zone's evening, which is another day in UTC",
    ],
    ['2026-03-11T03:00:00Z', '2026-03-11T11:00:00.000Z', "at the zone's midnight"],
  ])('is at 08:00 of the zone: from %s at %s, %s', (now, next) =>
    expect(daily(now, '08:00', 'America/Sao_Paulo')).toBe(next),
  );

  it.each([
    // Clocks go from 02:00 to 03:00 on 29 March and from 03:00 to 02:00 on 25 October.
    ['2026-03-28T12:00:00Z', '08:00', '2026-03-29T06:00:00.000Z', 'after clocks went forward'],
    ['2026-03-28T12:00:00Z', '02:30', '2026-03-29T01:30:00.000Z', 'a time that is skipped'],
    ['2026-10-24T12:00:00Z', '08:00', '2026-10-25T07:00:00.000Z', 'after clocks went back'],
    ['2026-10-24T12:00:00Z', '02:30', '2026-10-25T00:30:00.000Z', 'a time that comes twice'],
    ['2026-10-25T00:30:00Z', '02:30', '2026-10-26T01:30:00.000Z', 'not twice a day'],
  ])('keeps to clocks that are changed: from %s for %s at %s, %s', (now, at, next) =>
    expect(daily(now, at, 'Europe/Berlin')).toBe(next),
  );

  it('is once a day for two years, whatever the clocks do', () => {
    const zone = 'America/Santiago';
    let now = new Date('2026-01-01T12:00:00Z');
    for (let day = 0; day < 730; day += 1) {
      const next = nextCheck({ schedule: 'daily', atMinute: 0 }, now, zone);
      const hours = (next.getTime() - now.getTime()) / 3_600_000;
      expect(next > now).toBe(true);
      if (day > 0) expect([23, 24, 25]).toContain(hours);
      now = next;
    }
  });

  it('is at the full hour of the zone', () => {
    expect(hourly('2026-03-10T10:00:00Z', 'America/Sao_Paulo')).toBe('2026-03-10T11:00:00.000Z');
    expect(hourly('2026-03-10T10:10:00Z', 'Asia/Kolkata')).toBe('2026-03-10T10:30:00.000Z');
  });

  it('is soon where what there is is told at once', () => {
    const now = new Date('2026-03-10T10:00:00Z');
    expect(nextCheck({ schedule: 'immediate', atMinute: null }, now, 'UTC').getTime()).toBe(
      now.getTime() + 15_000,
    );
  });

  it('is a minute after a message, so that many items do not become many messages', () => {
    const now = new Date('2026-03-10T10:00:00Z');
    const next = nextCheck({ schedule: 'immediate', atMinute: null }, now, 'UTC', true);
    expect(next.getTime()).toBe(now.getTime() + 60_000);
  });
});

describe('a time of a day', () => {
  it.each(['00:00', '08:30', '23:59'])('is read and written as %s', (text) =>
    expect(timeOf(minuteOf(text) ?? -1)).toBe(text),
  );
  it.each(['24:00', '8:30', '08:60', '', '08:30:00', ' 08:30'])('is not %j', (text) =>
    expect(minuteOf(text)).toBeUndefined(),
  );
});
