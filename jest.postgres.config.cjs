// The suite on a PostgreSQL server, and the specs that only make sense there.
const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const SERVER = 'TEST_DATABASE_URL';

if (!process.env[SERVER]) {
  throw new Error(
    `${SERVER} must name a PostgreSQL database, for example postgresql://postgres@127.0.0.1/postgres`,
  );
}

/** The files that know of the server, of those that Jest looks at. */
function readers() {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(__dirname, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file, 'utf8').includes(SERVER)),
  );
}

/**
 * The specs that load one of those files, however indirectly, as Jest finds out. For every other spec it makes no
 * difference whether there is a server: it is as true on one database as on the other.
 */
function specsOnServer() {
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.config.cjs'];
  const all = ['--testPathIgnorePatterns', '/node_modules/', '--listTests', '--findRelatedTests'];
  const listed = execFileSync(process.execPath, [...jest, ...all, ...readers()], {
    cwd: __dirname,
    encoding: 'utf8',
  });
  return listed.trim().split('\n');
}

/**
 * What providers say, what rules post of it, what pages of the documentation promise, and the embedded database's own
 * backup: none of it is decided by the database, and other specs send every statement that these send. They run without a
 * server alone.
 */
const NOT_OF_THE_DATABASE = [
  'test/sources/',
  'test/e2e/(accountants-month|accrual-months|boleto-paid-late|booking-page|days-of-sources|fees-of-both-profiles|money-released-at-once)',
  'test/e2e/(generic-hmac|old-orders-guide|order-life|rule-templates|settled-otherwise|several-payments|written-off-orders)',
  'test/e2e/(left-to-person|completeness-of-|compared-|source-comparison|large-backtest|content-differs|unknown-customers)',
  'test/e2e/(backup|example-c|discreet-logs|exposed-surface|extreme-values|logged-refusals|nothing-leaks|first-start)',
  'test/e2e/(hostile-webhooks|large-bodies|public-keys|stalled-backup|operator-walk|subscriptions\\.spec)',
  'test/property/(order-lives|whole-lives|provider-arrivals|rule-preview)',
  'test/contract/(reference|whole-description|cli/)',
];

/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.cjs'),
  testRegex: specsOnServer().map((spec) => `^${spec.replace(/[^\w/]/g, '\\$&')}$`),
  testPathIgnorePatterns: ['/node_modules/', ...NOT_OF_THE_DATABASE],
};
