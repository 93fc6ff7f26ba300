// Tests that drive the built service (`npm run build`) in processes of its own; some take minutes.
const base = require('./jest.config.cjs');

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  roots: ['<rootDir>/test/system'],
  testRegex: '\\.system\\.ts$',
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 600_000,
  // A test that took too long leaves processes behind, for which Jest would wait for ever.
  forceExit: true,
};
