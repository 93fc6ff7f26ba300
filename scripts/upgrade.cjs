// A rolling upgrade under load, on PostgreSQL (TEST_DATABASE_URL): `npm run test:upgrade`; ten of them, or from another
// version than the one that was released last: `npm run test:upgrade -- --rounds 10 --from COMMIT`.
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const { parseArgs } = require('node:util');

const { values } = parseArgs({ options: { rounds: { type: 'string' }, from: { type: 'string' } } });
if (!/^\d+$/.test(values.rounds ?? '1')) throw new Error('--rounds takes a whole number');
if (!/^[\w./~^-]+$/.test(values.from ?? 'HEAD') || values.from?.startsWith('-'))
  throw new Error('--from takes the name of a commit');
if (!process.env.TEST_DATABASE_URL)
  throw new Error('TEST_DATABASE_URL must name a PostgreSQL server: both versions share one database');

const jest = [
  'node_modules/jest/bin/jest.js',
  '--config',
  'jest.system.config.cjs',
  '--runInBand',
  'upgrade\\.system',
];
const { status } = spawnSync(process.execPath, [...jest], {
  cwd: join(__dirname, '..'),
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(values.rounds !== undefined && { UPGRADE_ROUNDS: values.rounds }),
    ...(values.from !== undefined && { UPGRADE_FROM: values.from }),
  },
});
process.exit(status ?? 1);
