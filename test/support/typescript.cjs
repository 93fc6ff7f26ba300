// Lets a child process of a test run TypeScript as the suite does: `node -r ./test/support/typescript.cjs file.ts`.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const options = JSON.parse(readFileSync(join(__dirname, '../../.swcrc'), 'utf8'));
delete options.$schema;

Module._extensions['.ts'] = (module, filename) => {
  const source = readFileSync(filename, 'utf8');
  module._compile(transformSync(source, { ...options, swcrc: false, filename }).code, filename);
};
