import fc from 'fast-check';
import { parseInstant } from './instant';

const SAO_PAULO = 'America/Sao_Paulo';
const NEW_YORK = 'America/New_York';

describe('parseInstant', () => {
  it.each([
    ['2026-07-15T13:42:33Z', '2026-07-15T13:42:33.000Z'],
    ['2026-07-15t13:42:33z', '2026-07-15T13:42:33.000Z'],
    ['2026-07-15 10:42:33-03:00', '2026-07-15T13:42:33.000Z'],
    ['2026-07-15T10:42:33-0300', '2026-07-15T13:42:33.000Z'],
    ['2026-07-15T10:42-03:00', '2026-07-15T13:42:00.000Z'],
    ['2026-07-15T10:42:33.007-03', '2026-07-15T13:42:33.007Z'],
    ['2026-07-15T19:12:33.5+05:30', '2026-07-15T13:42:33.500Z'],
    ['2026-07-15T13:42:33.123456789Z', '2026-07-15T13:42:33.123Z'],
    ['2026-07-15T13:42:33,25Z', '2026-07-15T13:42:33.250Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ])('reads %s by its own offset, whatever the zone', (text, instant) => {
    for (const zone of ['UTC', SAO_PAULO, 'Asia/Tokyo']) {
      expect(parseInstant(text, zone)?.toISOString()).toBe(instant);
    }
  });

  it.each([
    ['2026-07-15T10:42:33', SAO_PAULO, '2026-07-15T13:42:33.000Z'],
    ['2018-12-15 10:42:33', SAO_PAULO, '2018-12-15T12:42:33.000Z'],
    ['2026-07-15T10:42:33', 'UTC', '2026-07-15T10:42:33.000Z'],
    ['2026-07-15T10:42:33.75', 'Asia/Kolkata', '2026-07-15T05:12:33.750Z'],
    // Twice, as clocks are set back: the first time counts.
    ['2026-11-01T01:30:00', NEW_YORK, '2026-11-01T05:30:00.000Z'],
    ['2018-02-17T23:30:00', SAO_PAULO, '2018-02-18T01:30:00.000Z'],
    // Never, as clocks are set forward: as long after the change as it was written.
    ['2026-03-08T02:30:00', NEW_YORK, '2026-03-08T07:30:00.000Z'],
    ['2018-11-04T00:30:00', SAO_PAULO, '2018-11-04T03:30:00.000Z'],
    // The last minute before a change and the first one after it.
    ['2026-03-08T01:59:59', NEW_YORK, '2026-03-08T06:59:59.000Z'],
    ['2026-03-08T03:00:00', NEW_YORK, '2026-03-08T07:00:00.000Z'],
  ])('reads %s without offset as wall time in %s', (text, zone, instant) => {
    expect(parseInstant(text, zone)?.toISOString()).toBe(instant);
  });

  it.each([
    '',
    '2026-07-15',
    '2026-02-30T10:00:00Z',
    '2026-07-15T24:00:00Z',
    '2026-07-15T10:60:00Z',
    '2026-07-15T10:00:60Z',
    '2026-07-15T10:00:00+16:00',
    '2026-07-15T10:00:00-16',
    '2026-07-15T10:00:00-3',
    '2026-07-15T10:00:00-03:',
    '2026-07-15T10:00:00+03:60',
    '2026-07-15T10:00:00 -03:00',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+01:00',
    '0001-01-01T00:00:00Z',
    '15/07/2026 10:00',
    '1784123456',
  ])('refuses %j', (text) => {
    expect(parseInstant(text, SAO_PAULO)).toBeUndefined();
  });

  it('reads back what any instant is written as', () => {
    const instants = fc.date({
      min: new Date(0),
      max: new Date('9998-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, (instant) => {
        expect(parseInstant(instant.toISOString(), NEW_YORK)).toEqual(instant);
      }),
    );
  });

  it('finds an instant at which clocks of the zone show just that time, but for skipped hours', () => {
    const zones = fc.constantFrom(
      NEW_YORK,
      SAO_PAULO,
      'Europe/Lisbon',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
    );
    const instants = fc.date({
      min: new Date('1990-01-01T00:00:00Z'),
      max: new Date('2040-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const shown = (date: Date): string => date.toLocaleString('sv-SE', { timeZone: zone });
        const found = parseInstant(shown(instant), zone);
        expect(found && shown(found)).toBe(shown(instant));
      }),
    );
  });
});
