/** What `npm cit` takes of the usual size, so that nobody waits long for it; `.ci/run` takes all of it. */
const SHARE_OF_NPM_CIT = 0.5;
/** How many times the usual size random tests have: `PROPERTY_SCALE=5 npm test -- test/property`. */
const FACTOR = Number(process.env['PROPERTY_SCALE'] ?? SHARE_OF_NPM_CIT);

/**
 * How many random cases a test tries. @param usual as many as find a planted fault in nearly every run
 * @throws RangeError when PROPERTY_SCALE is no number, or so small that a test would try nothing
 */
export function propertyRuns(usual: number): number {
  if (!(FACTOR >= SHARE_OF_NPM_CIT))
    throw new RangeError(`PROPERTY_SCALE must be ${SHARE_OF_NPM_CIT} or more`);
  return Math.round(usual * FACTOR);
}

/**
 * The same random cases in each run, where `PROPERTY_SEED` is a number: a check of a commit must not depend on luck.
 * @throws RangeError when it is set and no whole number
 */
export function propertySeed(): { seed?: number } {
  const text = process.env['PROPERTY_SEED'];
  if (text === undefined) return {};
  const seed = Number(text);
  if (!Number.isSafeInteger(seed)) throw new RangeError('PROPERTY_SEED must be a whole number');
  return { seed };
}
