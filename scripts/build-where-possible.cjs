// Builds where the development packages are installed; where they are not, as in production, what was built before
// is what there is to run.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { isInstalled } = require('./development-packages.cjs');

const root = join(__dirname, '..');
if (isInstalled()) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else if (!existsSync(join(root, 'dist/src/main.js'))) {
  process.stderr.write('Ponte is not built: run `npm ci && npm run build` first.\n');
  process.exitCode = 1;
}
