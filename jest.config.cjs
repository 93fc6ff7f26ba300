/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testRegex: '\\.spec\\.ts$',
  // Libraries that ship as ES modules are transformed too, so that the suite runs the CommonJS that production runs.
  transform: { '\\.[cm]?[jt]s$': ['@swc/jest'] },
  transformIgnorePatterns: ['/@swc/', '/pglite/'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  cacheDirectory: '<rootDir>/.cache/jest',
  testTimeout: 30_000,
};
