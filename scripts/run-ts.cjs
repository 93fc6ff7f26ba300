// Runs a TypeScript file of this repository without building it: `node scripts/run-ts.cjs FILE [ARGUMENT…]`.
// Types are not checked here; `npm run typecheck` does that. Where the compiler is not installed, as in production,
// what was built of the file is run.
const { existsSync } = require('node:fs');
const { join, relative, resolve } = require('node:path');
const { compileOnLoad } = require('./compile-on-load.cjs');
const { isInstalled } = require('./development-packages.cjs');

const root = join(__dirname, '..');

function builtOf(file) {
  const built = join(root, 'dist', relative(root, file)).replace(/\.ts$/, '.js');
  if (existsSync(built)) return built;
  process.stderr.write(
    `${relative(root, file)} is not built: run \`npm ci && npm run build\`, before the development packages are removed.\n`,
  );
  process.exit(1);
}

const [file, ...rest] = process.argv.slice(2);
const source = resolve(file);
if (isInstalled()) {
  compileOnLoad();
  process.setSourceMapsEnabled(true);
}
const entry = isInstalled() ? source : builtOf(source);
process.argv = [process.argv[0], entry, ...rest];
require(entry);
