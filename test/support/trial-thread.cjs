// What a thread for trials runs in tests: the source itself, compiled as it is loaded.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const root = join(__dirname, '..', '..');
const options = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...options, filename, swcrc: false });
  module._compile(code, filename);
};
require(join(root, 'src/admin/rules/trial-thread.ts'));
