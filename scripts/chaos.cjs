// Crashes at random: `npm run chaos`. With `-- --remote`, on PostgreSQL (TEST_DATABASE_URL): two replicas before a
// finance service that fails in every way; one seed of it by hand: `npm run chaos -- --seed 7 --orders 20`.
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const { parseArgs } = require('node:util');

const { values } = parseArgs({
  options: { remote: { type: 'boolean' }, seed: { type: 'string' }, orders: { type: 'string' } },
});
const byHand = values.seed !== undefined || values.orders !== undefined;
for (const name of ['seed', 'orders']) {
  if (!/^\d+$/.test(values[name] ?? '0')) throw new Error(`--${name} takes a whole number`);
}
if ((byHand || values.remote) && !process.env.TEST_DATABASE_URL) {
  throw new Error('TEST_DATABASE_URL must name a PostgreSQL server: replicas share one database');
}

const suites = byHand || values.remote ? ['remote-chaos'] : ['kill'];
const root = join(__dirname, '..');
const jest = [
  'node_modules/jest/bin/jest.js',
  '--config',
  'jest.system.config.cjs',
  '--runInBand',
  ...suites,
];
// By hand, the broken builds are not asked for.
if (byHand) jest.push('--testNamePattern', 'once, or say truly');
const { status } = spawnSync(process.execPath, ['--experimental-vm-modules', ...jest], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(values.seed !== undefined && { CHAOS_REMOTE_SEED: values.seed }),
    ...(values.orders !== undefined && { CHAOS_REMOTE_ORDERS: values.orders }),
  },
});
process.exit(status ?? 1);
