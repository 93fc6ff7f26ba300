import fc from 'fast-check';
import { type PartLengths, PeriodParts } from './period-parts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LENGTHS: PartLengths = [
  { upTo: 12 * HOUR_MS, length: 15 * MINUTE_MS },
  { upTo: 48 * HOUR_MS, length: 30 * MINUTE_MS },
  { upTo: Infinity, length: 2 * HOUR_MS },
];
const NOON = Date.parse('2026-07-11T12:00:00Z');

/** Parts of a period of so many hours that ends at noon. */
const partsOf = (hours: number): PeriodParts =>
  new PeriodParts({ from: new Date(NOON - hours * HOUR_MS), to: new Date(NOON) }, LENGTHS);

describe('the parts of a period', () => {
  it.each([
    [0, 15],
    [12, 15],
    [12.01, 30],
    [48, 30],
    [48.01, 120],
    [168, 120],
  ])('of %d hours are %d minutes long', (hours, minutes) => {
    const parts = partsOf(hours);
    expect(parts.endOf(NOON) - parts.beginOf(NOON)).toBe(minutes * MINUTE_MS);
    expect(parts.nameOf(NOON + 7 * MINUTE_MS)).toBe(`2026-07-11T12:00:00.000Z/${minutes}`);
  });

  it('have each instant in one of them, which is the same for all periods that are as long', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 * HOUR_MS }), fc.nat(9 * HOUR_MS), (ago, later) => {
        const at = NOON - ago;
        const parts = partsOf(10);
        expect(parts.beginOf(at)).toBeLessThanOrEqual(at);
        expect(parts.endOf(at)).toBeGreaterThan(at);
        expect(parts.endOf(at - 1)).toBe(parts.beginOf(at) === at ? at : parts.endOf(at));
        const other = new PeriodParts({ from: new Date(at), to: new Date(at + later) }, LENGTHS);
        expect(other.nameOf(at)).toBe(parts.nameOf(at));
      }),
    );
  });
});
