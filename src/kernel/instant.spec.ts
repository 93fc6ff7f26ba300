import { readInstant } from './instant';

describe('readInstant', () => {
  it.each([
    ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21T12:00Z', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21T09:00:00.1239-03:00', '2026-11-21T12:00:00.123Z'],
    ['2024-02-29T23:59:59+14:00', '2024-02-29T09:59:59.000Z'],
  ])('reads %s', (text, instant) => {
    expect(readInstant(text)?.toISOString()).toBe(instant);
  });

  it.each([
    ...['2026-11-21', '2026-11-21T12:00:00', '2026-11-21 12:00:00Z', '2026-11-21T24:00:00Z', 'yesterday'],
    ...['2026-02-30T12:00:00Z', '2026-11-21T12:00:00+15:00', '2026-11-21T12:00:00 03:00', '1763726400', ''],
  ])('does not take %j', (text) => {
    expect(readInstant(text)).toBeUndefined();
  });
});
