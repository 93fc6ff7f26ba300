const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** Source maps of their own: in the text of a module they would stay in memory with it. */
const compiler = { ...JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8')), sourceMaps: true };

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/one-realm/environment.cjs',
  runtime: '<rootDir>/test/support/one-realm/runtime.cjs',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testRegex: '\\.spec\\.ts$',
  // These need a PostgreSQL server: `npm run test:postgres` runs them together with everything else.
  testPathIgnorePatterns: ['/node_modules/', '\\.postgres\\.spec\\.ts$'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Libraries that ship as ES modules are transformed too, so that the suite runs the CommonJS that production runs.
  transform: { '\\.[cm]?[jt]s$': ['@swc/jest', compiler] },
  transformIgnorePatterns: ['/@swc/'],
  moduleNameMapper: {
    // A thread does not run in Jest, which compiles what it loads.
    '/trial-entry$': '<rootDir>/test/support/trial-entry.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  cacheDirectory: '<rootDir>/.cache/jest',
  // Every embedded database takes a few hundred megabytes.
  maxWorkers: 2,
  // Of the heap, garbage included. Files let go of what they have, so that only one that keeps something comes near it.
  workerIdleMemoryLimit: '700MB',
  // Generous, as the next: a busy machine must not decide a test. By default a worker that takes half a second to give its
  // memory back is killed, and said to leak.
  workerGracefulExitTimeout: 60_000,
  testTimeout: 600_000,
};
