// Hostile input against the built service: `npm run adversary`, the whole table with `-- --long`; one row of it and
// one seed by hand: `npm run adversary -- --only 'poison texts' --seed 7`. On PostgreSQL with TEST_DATABASE_URL.
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const { parseArgs } = require('node:util');

const { values } = parseArgs({
  options: { long: { type: 'boolean' }, seed: { type: 'string' }, only: { type: 'string' } },
});
if (!/^\d+$/.test(values.seed ?? '0')) throw new Error('--seed takes a whole number');

const jest = [
  ...['node_modules/jest/bin/jest.js', '--config', 'jest.system.config.cjs', '--runInBand', '--verbose'],
  // Not `adversary` alone: the folder that it was cloned into may be called so.
  'adversary\\.system',
];
if (values.only !== undefined) jest.push('--testNamePattern', values.only);
const { status } = spawnSync(process.execPath, [...jest], {
  cwd: join(__dirname, '..'),
  stdio: 'inherit',
  env: {
    ...process.env,
    ADVERSARY_LONG: values.long ? '1' : '',
    ...(values.seed !== undefined && { ADVERSARY_SEED: values.seed }),
  },
});
process.exit(status ?? 1);
