/** How many times the usual size random tests have: `PROPERTY_SCALE=5 npm test -- test/property`. */
const GIVEN = process.env['PROPERTY_SCALE'];
/** What `npm cit` takes of the usual size where each case works with a database; `.ci/run` takes all of it. */
const SHARE_OF_NPM_CIT = 0.25;

/**
 * How many random cases a test tries. @param usual as many as find a planted fault in nearly every run
 * @throws RangeError when PROPERTY_SCALE is no number of 1 or more
 */
export function propertyRuns(usual: number): number {
  const factor = Number(GIVEN ?? 1);
  if (!(factor >= 1)) throw new RangeError('PROPERTY_SCALE must be 1 or more');
  return Math.round(usual * factor);
}

/** Whether what works with a database has its usual size or more: in `npm cit` it has not. */
export const isFullSize = GIVEN !== undefined;

/** As {@link propertyRuns}, of cases that take tens of milliseconds each. */
export function slowPropertyRuns(usual: number): number {
  return isFullSize ? propertyRuns(usual) : Math.ceil(usual * SHARE_OF_NPM_CIT);
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
