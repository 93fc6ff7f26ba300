import type { Database } from '../../src/database/database';
import { openTestDatabase } from '../support/database';
import { TEST_SERVER } from '../support/postgres-server';
import { playSeed } from './finance-model/run';

/** Random each time, and printed by what fails; `MODEL_SEED` repeats it. */
const FIRST_SEED = Number(process.env['MODEL_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const RUNS = Number(process.env['MODEL_RUNS'] ?? (process.env['MODEL_SEED'] ? 1 : 3));
const OPERATIONS = Number(process.env['MODEL_OPERATIONS'] ?? 1_000);
/** Companies at work at once. */
const LANES = TEST_SERVER ? 8 : 1;

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it(
  `does what its model does, in ${RUNS} random sequences of ${OPERATIONS} operations`,
  async () => {
    const seeds = Array.from({ length: RUNS }, (_, run) => FIRST_SEED + run);
    const lane = async (): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        await playSeed(database, seed, OPERATIONS);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  },
  RUNS * OPERATIONS * 100 + 60_000,
);
