// Runs a TypeScript file of this repository without building it: `node scripts/run-ts.cjs FILE [ARGUMENT…]`.
// Types are not checked here; `npm run typecheck` does that.
const { readFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { transformSync } = require('@swc/core');

const options = JSON.parse(readFileSync(resolve(__dirname, '..', '.swcrc'), 'utf8'));
// `import()` stays what it is: some libraries are ES modules only.
const module_ = { ...options.module, ignoreDynamic: true };

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    ...options,
    module: module_,
    filename,
    swcrc: false,
  });
  module._compile(code, filename);
};

process.setSourceMapsEnabled(true);
const [file, ...rest] = process.argv.slice(2);
process.argv = [process.argv[0], resolve(file), ...rest];
require(resolve(file));
