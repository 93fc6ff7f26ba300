import { openTestDatabase } from '../support/database';
import { TEST_SERVER } from '../support/postgres-server';
import { playSeed } from './finance-model/run';
import { Interface } from './finance-model/world';
import { propertyRuns, slowPropertyRuns } from '../support/property-runs';

/** Random each time, and printed by what fails; `MODEL_SEED` repeats it. */
const FIRST_SEED = Number(process.env['MODEL_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const RUNS = Number(process.env['MODEL_RUNS'] ?? (process.env['MODEL_SEED'] ? 1 : propertyRuns(1)));
/** Whether nobody asked for sequences: they are shorter then. */
const isUnasked = process.env['MODEL_RUNS'] === undefined && process.env['MODEL_SEED'] === undefined;
const USUAL = isUnasked ? Math.min(1_000, slowPropertyRuns(1_000)) : 1_000;
const OPERATIONS = Number(process.env['MODEL_OPERATIONS'] ?? USUAL);
/** Companies at work at once. */
const LANES = TEST_SERVER ? 8 : 1;

/** Companies that share a database; what is compared at the end of each grows with all of them. */
const COMPANIES = 10;

/** Plays some seeds, each on a company of its own in one fresh database. */
async function play(seeds: readonly number[]): Promise<void> {
  const database = await openTestDatabase();
  try {
    const served = await Interface.over(database);
    for (const seed of seeds) await playSeed(served, seed, OPERATIONS);
  } finally {
    await database.close();
  }
}

it(
  `does what its model does, in ${RUNS} random sequences of ${OPERATIONS} operations`,
  async () => {
    const seeds = Array.from({ length: RUNS }, (_, run) => FIRST_SEED + run);
    const share = Math.min(COMPANIES, Math.ceil(RUNS / LANES));
    const lane = async (): Promise<void> => {
      while (seeds.length > 0) await play(seeds.splice(0, share));
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  },
  RUNS * OPERATIONS * 100 + 60_000,
);
