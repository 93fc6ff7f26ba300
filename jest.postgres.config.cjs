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

/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.cjs'),
  testRegex: specsOnServer().map((spec) => `^${spec.replace(/[^\w/]/g, '\\$&')}$`),
  testPathIgnorePatterns: ['/node_modules/'],
};
