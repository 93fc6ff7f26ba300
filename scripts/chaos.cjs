// Crashes at random: `npm run chaos`. With `-- --remote`, on PostgreSQL (TEST_DATABASE_URL): two replicas before a
// finance service that fails in every way, a thousand orders, or no more than every kind of fault needs to occur:
// `--short`; one seed of it by hand: `npm run chaos -- --seed 7 --orders 20`; all cases of one whose listings lag:
// `npm run chaos -- --lag --orders 100`. With `-- --replicas`, likewise: replicas that freeze, vanish or lose their
// connections, and clocks that differ; one kind of it for so long: `--only frozen --seconds 70`, or no longer than has
// to be seen: `--short`.
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const { parseArgs } = require('node:util');

const { values } = parseArgs({
  options: {
    remote: { type: 'boolean' },
    lag: { type: 'boolean' },
    seed: { type: 'string' },
    orders: { type: 'string' },
    replicas: { type: 'boolean' },
    only: { type: 'string' },
    seconds: { type: 'string' },
    short: { type: 'boolean' },
  },
});
const KINDS = ['frozen', 'vanished', 'silent', 'terminated', 'clocks', 'backlog'];
const byHand = !values.lag && (values.seed !== undefined || values.orders !== undefined);
for (const name of ['seed', 'orders', 'seconds']) {
  if (!/^\d+$/.test(values[name] ?? '0')) throw new Error(`--${name} takes a whole number`);
}
if (!KINDS.includes(values.only ?? 'frozen')) throw new Error(`--only takes one of ${KINDS.join(', ')}`);
if ((byHand || values.remote || values.lag || values.replicas) && !process.env.TEST_DATABASE_URL) {
  throw new Error('TEST_DATABASE_URL must name a PostgreSQL server: replicas share one database');
}

const suites = [
  ...(byHand || values.remote ? ['remote-chaos'] : []),
  ...(values.lag ? ['remote-chaos-lag'] : []),
  ...(values.replicas ? ['replica-trials.system'] : []),
];
// Both of that name: orders under load, and erasures.
if (suites.length === 0) suites.push('kill.system');
const root = join(__dirname, '..');
const jest = [
  'node_modules/jest/bin/jest.js',
  '--config',
  'jest.system.config.cjs',
  '--runInBand',
  // Those that may run beside each other mostly wait; what replicas do within their limits is disturbed less.
  `--maxConcurrency=${values.replicas ? 3 : 4}`,
  ...suites,
];
// By hand, the broken builds are not asked for.
if (byHand) jest.push('--testNamePattern', 'once, or say truly');
if (values.only) jest.push('--testNamePattern', `${values.only}:`);
const { status } = spawnSync(process.execPath, [...jest], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(values.lag && { CHAOS_REMOTE_LAG: 'all' }),
    ...(values.seed !== undefined && { CHAOS_REMOTE_SEED: values.seed }),
    ...((values.short || values.seconds !== undefined) && {
      REPLICA_TRIAL_SECONDS: values.short ? '0' : values.seconds,
    }),
    ...(values.remote && values.short && { CHAOS_REMOTE_SHORT: '1' }),
    ...(values.orders !== undefined && { CHAOS_REMOTE_ORDERS: values.orders }),
  },
});
process.exit(status ?? 1);
