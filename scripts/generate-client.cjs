// Generates Prisma's client from prisma/schema.prisma without any engine binary: the generator needs none, the
// CLI only insists that the variable names an existing file.
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');

const root = join(__dirname, '..');
const result = spawnSync(
  process.execPath,
  [require.resolve('prisma/build/index.js'), 'generate', '--no-hints'],
  {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'package.json'),
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  },
);
if (result.status !== 0) process.stderr.write(`${result.stdout}${result.stderr}`);
process.exit(result.status ?? 1);
