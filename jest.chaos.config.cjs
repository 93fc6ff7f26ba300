// The crash tests: they drive the built service (`npm run build`) in processes of its own and take minutes.
const base = require('./jest.config.cjs');

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  roots: ['<rootDir>/test/chaos'],
  testRegex: '\\.chaos\\.ts$',
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 600_000,
};
