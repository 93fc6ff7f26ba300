/** How many times the usual size random tests have: `PROPERTY_SCALE=5 npm test -- test/property`. */
const FACTOR = Number(process.env['PROPERTY_SCALE'] ?? 1);

/**
 * How many random cases a test tries. @param usual as many as find a planted fault in nearly every run
 * @throws RangeError when PROPERTY_SCALE is no number of 1 or more
 */
export function propertyRuns(usual: number): number {
  if (!(FACTOR >= 1)) throw new RangeError('PROPERTY_SCALE must be 1 or more');
  return Math.round(usual * FACTOR);
}
